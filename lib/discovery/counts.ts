import { categories } from "../catalog/categories.ts";
import { tools } from "../catalog/tools.ts";
import { paths } from "../urls.ts";
import type { Deps } from "./deps.ts";

/** Every category with its page and its number of live listings. */
export function countCategories(deps: Deps) {
  const counts = deps.catalogue.sizes("category");
  return categories.map((category) => ({
    ...category,
    page: deps.urls.to(paths.category(category.slug)),
    count: counts.get(category.slug) ?? 0,
  }));
}

/** The largest first. Those of the same size keep their order. */
export function largestFirst<T extends { count: number }>(counted: readonly T[]): T[] {
  return counted.toSorted((a, b) => b.count - a.count);
}

/** A tag with its number of live listings. */
export interface TagCount {
  tag: string;
  count: number;
}

/** The `limit` most used tags of live listings, with their counts. */
export function countTags(
  { catalogue }: Pick<Deps, "catalogue">,
  limit: number,
): TagCount[] {
  const isBefore = (a: TagCount, b: TagCount) =>
    a.count > b.count || (a.count === b.count && a.tag < b.tag);
  // Most tags are used only once, so sorting all of them would take longer than the page.
  const top: TagCount[] = [];
  for (const [tag, count] of catalogue.sizes("tag")) {
    const one = { tag, count };
    const last = top[limit - 1];
    if (last !== undefined && !isBefore(one, last)) continue;
    const at = top.findIndex((other) => isBefore(one, other));
    top.splice(at < 0 ? top.length : at, 0, one);
    top.length = Math.min(top.length, limit);
  }
  return top;
}

/** Every tool with its page and the number of live listings built with it. */
export function countTools(deps: Deps) {
  const counts = deps.catalogue.sizes("tool");
  return tools.map((tool) => ({
    ...tool,
    page: deps.urls.to(paths.tool(tool.slug)),
    count: counts.get(tool.slug) ?? 0,
  }));
}
