import { type SearchPage, usualSort } from "../read_model/lists.ts";
import type { Sort } from "../read_model/sorts.ts";
import type { Deps } from "./deps.ts";

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

/** How many projects and skills match the search words well, ignoring filters. */
export type Elsewhere = Record<"project" | "skill", number>;

/**
 * For a search without good matches in its list: how many there are without filters, and in the
 * other list. Otherwise null.
 */
export async function searchElsewhere(
  { catalogue, skills }: Deps,
  q: string | undefined,
  { total, nearest }: SearchPage<unknown>,
): Promise<Elsewhere | null> {
  if (!q || (total > 0 && !nearest)) return null;
  await Promise.all([catalogue.textReady({ q }), skills.textReady({ q })]);
  const totalOf = (list: Pick<typeof catalogue | typeof skills, "select">) => {
    const { total, search } = list.select({ q, limit: 1 });
    return search!.nearest ? 0 : total;
  };
  return { project: totalOf(catalogue), skill: totalOf(skills) };
}
