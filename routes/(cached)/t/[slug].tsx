import { page } from "fresh";
import { define } from "@/lib/app/define.ts";
import { builtWith, tools } from "@/lib/catalog/tools.ts";
import { browse } from "@/lib/discovery/browse.ts";
import { ShelfQuery } from "@/lib/discovery/query.ts";
import { DomainError } from "@/lib/errors.ts";
import { parsePageQuery } from "@/lib/http/forms.ts";
import { paths } from "@/lib/urls.ts";
import type { Shelf } from "../projects.tsx";

export const handler = define.handlers({
  async GET(ctx) {
    const slug = tools.find(({ slug }) => slug === ctx.params.slug)?.slug;
    if (slug === undefined) throw new DomainError("not_found");
    const { deps } = ctx.state;
    const query = { ...parsePageQuery(ShelfQuery, ctx.url), tool: slug };
    const which = builtWith(slug);
    const shelf: Shelf = {
      path: paths.tool(slug),
      title: `B${which.slice(1)}`,
      description: `Projects ${which}.`,
      which,
      mark: slug,
    };
    return page({ ...await browse(deps, query, deps.catalogue), shelf });
  },
});

export { default } from "../projects.tsx";
