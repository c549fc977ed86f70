import { Page } from "@/components/Page.tsx";
import { define } from "@/lib/app/define.ts";
import { countCategories, largestFirst } from "@/lib/discovery/counts.ts";
import { plural } from "@/lib/text/count.ts";
import { paths } from "@/lib/urls.ts";

export default define.page(function Categories({ state }) {
  return (
    <Page
      deps={state.deps}
      title="Categories"
      description="Browse projects by category."
      path={paths.categories}
      json={`${paths.api}/categories`}
      lead={false}
    >
      <ul class="plain index-grid">
        {largestFirst(countCategories(state.deps)).map(({ slug, name, blurb, count }) => (
          <li key={slug}>
            <p class="leader">
              <a href={paths.category(slug)}>{name}</a>
              <span class="dots" aria-hidden="true" />{" "}
              <span class={count === 0 ? "dim" : undefined}>{plural(count, "project")}</span>
            </p>
            <p class="dim">{blurb}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
});
