import { usualSort } from "../lib/read_model/lists.ts";
import { withQuery } from "../lib/urls.ts";
import { Tabs } from "./Tabs.tsx";

/** A list's order, and the words that it is searched for. */
interface Ordered {
  sort: string;
  q?: string;
}

/** The order of a list as its address names it: not where it is the usual one. */
export function namedSort(query: Ordered): string | undefined {
  return query.sort === usualSort(query) ? undefined : query.sort;
}

/** The order of a list as its title names it: not where it is the usual one. */
export function titledSort(
  query: Ordered,
  orders: readonly (readonly [sort: string, name: string])[],
): string | undefined {
  return orders.find(([id]) => id === namedSort(query))?.[1].toLowerCase();
}

/** The orders of a list as links, which keep its filters. A search has its best matches first. */
export function Orders(
  { query, action, orders }: {
    query: Ordered & Record<string, string | number | undefined>;
    /** The path of the list. */
    action: string;
    orders: readonly (readonly [sort: string, name: string])[];
  },
) {
  const { limit: _limit, offset: _offset, ...kept } = query;
  const all = query.q ? [["best", "Best match"] as const, ...orders] : orders;
  return (
    <Tabs
      label="Order"
      tabs={all.map(([sort, name]) => ({
        name,
        href: withQuery(action, { ...kept, sort: namedSort({ ...kept, sort }) }),
        isCurrent: sort === query.sort,
      }))}
    />
  );
}
