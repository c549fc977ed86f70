import { page } from "fresh";
import { define } from "@/lib/app/define.ts";
import { categories } from "@/lib/catalog/categories.ts";
import { browse } from "@/lib/discovery/browse.ts";
import { ShelfQuery } from "@/lib/discovery/query.ts";
import { DomainError } from "@/lib/errors.ts";
import { parsePageQuery } from "@/lib/http/forms.ts";
import { paths } from "@/lib/urls.ts";
import type { Shelf } from "../projects.tsx";

export const handler = define.handlers({
  async GET(ctx) {
    const category = categories.find(({ slug }) => slug === ctx.params.slug);
    if (category === undefined) throw new DomainError("not_found");
    const { deps } = ctx.state;
    const { slug, name, blurb } = category;
    const query = { ...parsePageQuery(ShelfQuery, ctx.url), category: slug };
    const shelf: Shelf = {
      path: paths.category(slug),
      title: name,
      description: blurb,
      which: `in ${name}`,
    };
    return page({ ...await browse(deps, query, deps.catalogue), shelf });
  },
});

export { default } from "../projects.tsx";
