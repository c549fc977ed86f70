import { categories } from "../catalog/categories.ts";
import { tools } from "../catalog/tools.ts";
import { paths } from "../urls.ts";
import type { Deps } from "./deps.ts";

/** Every category with its page and the number of its live listings. */
export function countCategories(deps: Deps) {
  const counts = deps.catalogue.counts().categories;
  return categories.map((category) => ({
    ...category,
    page: deps.urls.to(paths.category(category.slug)),
    count: counts.get(category.slug) ?? 0,
  }));
}

/** Every tool with its page and the number of live listings built with it. */
export function countTools(deps: Deps) {
  const counts = deps.catalogue.counts().tools;
  return tools.map((tool) => ({
    ...tool,
    page: deps.urls.to(paths.tool(tool.slug)),
    count: counts.get(tool.slug) ?? 0,
  }));
}
