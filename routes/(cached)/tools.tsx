import { plural } from "@/lib/text/count.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { ToolMark } from "@/components/ToolMark.tsx";
import { define } from "@/lib/define.ts";
import { countTools } from "@/lib/discovery/counts.ts";
import { paths } from "@/lib/urls.ts";

export default define.page(function Tools({ state }) {
  return (
    <main id="main" class="page">
      <PageHead
        deps={state.deps}
        title="Tools"
        description="What projects are built with: models, editors, agents, automation, and people."
        path={paths.tools}
        json={`${paths.api}/tools`}
      />
      <h1>Tools</h1>
      <p class="lead">What the listed projects say they were built with.</p>
      <ul class="plain index-grid">
        {countTools(state.deps).map(({ slug, name, maker, count }) => (
          <li key={slug}>
            <p class="leader">
              <ToolMark slug={slug} /> <a href={paths.tool(slug)}>{name}</a>
              <span class="dots" aria-hidden="true" />{" "}
              <span class={count === 0 ? "dim" : undefined}>{plural(count, "project")}</span>
            </p>
            <p class="dim">{maker}</p>
          </li>
        ))}
      </ul>
    </main>
  );
});
