import { categories } from "../catalog/categories.ts";
import { tools } from "../catalog/tools.ts";
import type { Deps } from "../deps.ts";
import { paths } from "../urls.ts";

/** Every category with its page and the number of its live listings. */
export function countCategories(deps: Deps) {
  const counts = deps.catalogue.counts().categories;
  return categories.map(({ slug, name, blurb }) => ({
    slug,
    name,
    blurb,
    page: deps.urls.to(paths.category(slug)),
    count: counts.get(slug) ?? 0,
  }));
}

/** Every tool with its page and the number of live listings built with it. */
export function countTools(deps: Deps) {
  const counts = deps.catalogue.counts().tools;
  return tools.map(({ slug, name, maker, color, glyph }) => ({
    slug,
    name,
    maker,
    color,
    glyph,
    page: deps.urls.to(paths.tool(slug)),
    count: counts.get(slug) ?? 0,
  }));
}
