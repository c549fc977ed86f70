import { page } from "fresh";
import { ShelfPage } from "@/components/ShelfPage.tsx";
import { define } from "@/lib/app/define.ts";
import { categories } from "@/lib/catalog/categories.ts";
import { ShelfQuery } from "@/lib/discovery/query.ts";
import { DomainError } from "@/lib/errors.ts";
import { parsePageQuery } from "@/lib/http/forms.ts";

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
  const { category: { slug, name, blurb }, query, list } = data;
  return (
    <ShelfPage
      deps={state.deps}
      kind="category"
      slug={slug}
      title={name}
      description={blurb}
      which={`in ${name}`}
      lead={blurb}
      url={url}
      sort={query.sort}
      list={list}
    />
  );
});
