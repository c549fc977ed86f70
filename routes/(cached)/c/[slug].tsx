import { page } from "fresh";
import { ShelfPage } from "@/components/ShelfPage.tsx";
import { define } from "@/lib/app/define.ts";
import { categories } from "@/lib/catalog/categories.ts";
import { ShelfQuery } from "@/lib/discovery/query.ts";
import { feedPaths } from "@/lib/documents/feeds.ts";
import { DomainError } from "@/lib/errors.ts";
import { parsePageQuery } from "@/lib/http/forms.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  GET(ctx) {
    const category = categories.find(({ slug }) => slug === ctx.params.slug);
    if (category === undefined) throw new DomainError("not_found");
    ctx.state.hasScript = true;
    const query = parsePageQuery(ShelfQuery, ctx.url);
    const list = ctx.state.deps.catalogue.list({ ...query, category: category.slug });
    return page({ category, query, list });
  },
});

export default define.page<typeof handler>(function CategoryPage({ data, state, url }) {
  const { category, query, list } = data;
  return (
    <ShelfPage
      head={{
        deps: state.deps,
        title: category.name,
        description: category.blurb,
        path: query.offset === 0 ? paths.category(category.slug) : undefined,
      }}
      feeds={feedPaths({ kind: "category", slug: category.slug })}
      which={`in ${category.name}`}
      lead={category.blurb}
      url={url}
      sort={query.sort}
      list={list}
      filter={{ category: category.slug }}
    />
  );
});
