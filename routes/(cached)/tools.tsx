import { EmptyState } from "@/components/EmptyState.tsx";
import { Page } from "@/components/Page.tsx";
import { ToolMark } from "@/components/ToolMark.tsx";
import { define } from "@/lib/app/define.ts";
import { countTools, largestFirst } from "@/lib/discovery/counts.ts";
import { plural } from "@/lib/text/count.ts";
import { paths } from "@/lib/urls.ts";

export default define.page(function Tools({ state }) {
  const used = largestFirst(countTools(state.deps)).filter(({ count }) => count > 0);
  return (
    <Page
      deps={state.deps}
      title="Tools"
      description="Browse projects by the tools used to build them: models, editors, agents, automation and people."
      path={paths.tools}
      json={`${paths.api}/tools`}
      lead="Browse projects by the tools used to build them."
    >
      {used.length > 0
        ? (
          <ul class="plain index-grid">
            {used.map(({ slug, name, maker, count }) => (
              <li key={slug}>
                <p class="leader">
                  <ToolMark slug={slug} /> <a href={paths.tool(slug)}>{name}</a>
                  <span class="dots" aria-hidden="true" /> <span>{plural(count, "project")}</span>
                </p>
                <p class="dim">{maker}</p>
              </li>
            ))}
          </ul>
        )
        : (
          <EmptyState title="No project names its tools yet">
            <p>
              <a class="button primary" href={paths.submit}>Submit a project</a>
            </p>
          </EmptyState>
        )}
    </Page>
  );
});
