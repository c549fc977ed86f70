import { type SearchPage, usualSort } from "../read_model/lists.ts";
import type { Sort } from "../read_model/sorts.ts";
import type { Deps } from "./deps.ts";
import { searchElsewhere } from "./elsewhere.ts";

/** What a list page shows for a query. The returned query's `sort` is the order of the list. */
export async function browse<Query extends { q?: string; sort: Sort | "best" }, Item>(
  deps: Deps,
  asked: Query,
  catalogue: { page(query: NoInfer<Query>): Promise<SearchPage<Item>> },
) {
  // Without search words, there is no best match.
  const sort = asked.sort === "best" ? usualSort(asked) : asked.sort;
  const list = await catalogue.page({ ...asked, sort });
  const elsewhere = await searchElsewhere(deps, asked.q, list);
  return { query: { ...asked, sort: list.sort ?? sort }, list, elsewhere };
}
