import { categories } from "../lib/catalog/categories.ts";
import { pricingModels } from "../lib/catalog/pricing.ts";
import { tools } from "../lib/catalog/tools.ts";
import type { BrowseQuery } from "../lib/discovery/query.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { Filters } from "./Filters.tsx";
import { Tabs } from "./Tabs.tsx";

/** The orders of a list of projects. */
export const SORTS = [["hot", "Hot"], ["new", "New"], ["top", "Most votes"]] as const;

const names = (list: readonly { slug: string; name: string }[]) =>
  list.map(({ slug, name }) => [slug, name] as const);
const CATEGORIES = names(categories);
const TOOLS = names(tools);
const PRICES = names(pricingModels);

/** Filters that a link sets and that a visitor can only keep or clear. */
const KINDS = [
  { name: "gems", label: "Kind", any: "All", options: [["1", "Hidden gems"]] },
  { name: "promoted", label: "Places", any: "All", options: [["1", "Promoted"]] },
] as const;

/** The order of a list as its address names it: not where it is the one that is expected. */
function shownSort({ sort, q }: BrowseQuery): string | undefined {
  return sort === (q ? "best" : "hot") ? undefined : sort;
}

/** The orders of the project list, which keep its filters. */
export function ProjectOrders({ query }: { query: BrowseQuery }) {
  const { limit: _limit, offset: _offset, ...kept } = query;
  const orders = [...(query.q ? [["best", "Best match"] as const] : []), ...SORTS];
  return (
    <Tabs
      label="Order"
      tabs={orders.map(([sort, name]) => ({
        name,
        href: withQuery(paths.projects, { ...kept, sort: shownSort({ ...query, sort }) }),
        isCurrent: sort === query.sort,
      }))}
    />
  );
}

/** The filters of the project list. */
export function ProjectFilters({ query }: { query: BrowseQuery }) {
  return (
    <Filters
      action={paths.projects}
      label="Filter projects"
      placeholder="name, tag, host, idea"
      query={query}
      sort={shownSort(query)}
      choices={[
        { name: "category", label: "Category", any: "All", options: CATEGORIES },
        { name: "tool", label: "Built with", any: "Anything", options: TOOLS },
        { name: "pricing", label: "Price", any: "Any", options: PRICES },
        ...KINDS.filter(({ name }) => query[name] !== undefined),
      ]}
      texts={{ tag: "Tag" }}
    />
  );
}
