import { withQuery } from "../lib/urls.ts";
import { Tabs } from "./Tabs.tsx";

/** The order of a list as its address names it: not where it is the `usual` one. */
export function namedSort(sort: string, usual: string): string | undefined {
  return sort === usual ? undefined : sort;
}

/** The order of a list as its title names it: not where it is the `usual` one. */
export function titledSort(
  sort: string,
  usual: string,
  orders: readonly (readonly [sort: string, name: string])[],
): string | undefined {
  return orders.find(([id]) => id === namedSort(sort, usual))?.[1].toLowerCase();
}

/** The orders of a list as links, which keep its filters. */
export function Orders<Query extends { sort: string; limit?: number; offset?: number }>(
  { query, action, usual, orders }: {
    query: Query & Record<string, string | number | undefined>;
    /** The path of the list. */
    action: string;
    /** The order that the list has unless its address says another one. */
    usual: string;
    orders: readonly (readonly [sort: string, name: string])[];
  },
) {
  const { limit: _limit, offset: _offset, ...kept } = query;
  return (
    <Tabs
      label="Order"
      tabs={orders.map(([sort, name]) => ({
        name,
        href: withQuery(action, { ...kept, sort: namedSort(sort, usual) }),
        isCurrent: sort === query.sort,
      }))}
    />
  );
}
