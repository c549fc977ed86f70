import { PageHead } from "@/components/PageHead.tsx";
import { ToolMark } from "@/components/ToolMark.tsx";
import { define } from "@/lib/app/define.ts";
import { countTools } from "@/lib/discovery/counts.ts";
import { plural } from "@/lib/text/count.ts";
import { paths } from "@/lib/urls.ts";

export default define.page(function Tools({ state }) {
  const counted = countTools(state.deps).sort((a, b) => b.count - a.count);
  const named = counted.filter(({ count }) => count > 0);
  const unnamed = counted.filter(({ count }) => count === 0);
  return (
    <main id="main" class="page">
      <PageHead
        deps={state.deps}
        title="Tools"
        description="Browse projects by the tools used to build them: models, editors, agents, automation and people."
        path={paths.tools}
        json={`${paths.api}/tools`}
      />
      <h1>Tools</h1>
      <p class="lead">Browse projects by the tools used to build them.</p>
      {named.length > 0 && (
        <ul class="plain index-grid">
          {named.map(({ slug, name, maker, count }) => (
            <li key={slug}>
              <p class="leader">
                <ToolMark slug={slug} /> <a href={paths.tool(slug)}>{name}</a>
                <span class="dots" aria-hidden="true" /> <span>{plural(count, "project")}</span>
              </p>
              <p class="dim">{maker}</p>
            </li>
          ))}
        </ul>
      )}
      {unnamed.length > 0 && (
        <section aria-labelledby="unnamed">
          <h2 id="unnamed">No projects yet</h2>
          <ul class="plain cluster">
            {unnamed.map(({ slug, name }) => (
              <li key={slug}>
                <a class="chip" href={paths.tool(slug)}>
                  <ToolMark slug={slug} /> {name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  );
});
