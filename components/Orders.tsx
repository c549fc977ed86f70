import { usualSort } from "../lib/read_model/lists.ts";
import { withQuery } from "../lib/urls.ts";
import { Tabs } from "./Tabs.tsx";

/** A list's order and search words. */
interface Ordered {
  sort: string;
  q?: string;
}

/** A sort order, and what links to it say. */
interface Choice {
  id: string;
  label: string;
}

/** A list's order for its URL: undefined for the default. */
export function namedSort(query: Ordered): string | undefined {
  return query.sort === usualSort(query) ? undefined : query.sort;
}

/** A list's order for its title: undefined for the default. */
export function titledSort(query: Ordered, orders: readonly Choice[]): string | undefined {
  return orders.find(({ id }) => id === namedSort(query))?.label.toLowerCase();
}

/**
 * The sort orders of a list as links, which keep its filters. A search defaults to best matches.
 */
export function Orders(
  { query, action, orders }: {
    query: Ordered & Record<string, string | number | undefined>;
    /** The list's path. */
    action: string;
    orders: readonly Choice[];
  },
) {
  const { limit: _limit, offset: _offset, ...kept } = query;
  const all = query.q ? [{ id: "best", label: "Best match" }, ...orders] : orders;
  return (
    <Tabs
      label="Order"
      tabs={all.map(({ id, label }) => ({
        name: label,
        href: withQuery(action, { ...kept, sort: namedSort({ ...kept, sort: id }) }),
        isCurrent: id === query.sort,
      }))}
    />
  );
}
