import { plural } from "@/lib/text/count.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { categories } from "@/lib/catalog/categories.ts";
import { define } from "@/lib/define.ts";
import { paths } from "@/lib/urls.ts";

export default define.page(function Categories({ state }) {
  const { catalogue, env, urls } = state.deps;
  const counts = catalogue.counts().categories;
  return (
    <main id="main" class="page">
      <PageHead
        title={`Categories · ${env.siteName}`}
        description="Shelves for everything that people and agents make."
        urls={urls}
        path={paths.categories}
        json={`${paths.api}/categories`}
      />
      <h1>Categories</h1>
      <ul class="plain index-grid">
        {categories.map(({ slug, name, blurb }) => (
          <li key={slug}>
            <p class="leader">
              <a href={paths.category(slug)}>{name}</a>
              <span class="dots" aria-hidden="true" />
              <span>{plural(counts.get(slug) ?? 0, "project")}</span>
            </p>
            <p class="dim">{blurb}</p>
          </li>
        ))}
      </ul>
    </main>
  );
});
