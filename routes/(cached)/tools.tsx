import { plural } from "@/lib/text/count.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { ToolMark } from "@/components/ToolMark.tsx";
import { tools } from "@/lib/catalog/tools.ts";
import { define } from "@/lib/define.ts";
import { paths } from "@/lib/urls.ts";

export default define.page(function Tools({ state }) {
  const { catalogue, env, urls } = state.deps;
  const counts = catalogue.counts().tools;
  return (
    <main id="main" class="page">
      <PageHead
        title={`Tools · ${env.siteName}`}
        description="What projects are built with: models, editors, agents, automation, and people."
        urls={urls}
        path={paths.tools}
        json={`${paths.api}/tools`}
      />
      <h1>Tools</h1>
      <p class="lead">What the listed projects say they were built with.</p>
      <ul class="plain index-grid">
        {tools.map(({ slug, name, maker }) => (
          <li key={slug}>
            <p class="leader">
              <ToolMark slug={slug} />
              <a href={paths.tool(slug)}>{name}</a>
              <span class="dots" aria-hidden="true" />
              <span>{plural(counts.get(slug) ?? 0, "project")}</span>
            </p>
            <p class="dim">{maker}</p>
          </li>
        ))}
      </ul>
    </main>
  );
});
