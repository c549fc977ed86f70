import { categories } from "../lib/catalog/categories.ts";
import { pricingModels } from "../lib/catalog/pricing.ts";
import { tools } from "../lib/catalog/tools.ts";
import type { BrowseQuery } from "../lib/discovery/query.ts";
import { paths } from "../lib/urls.ts";
import { Filters } from "./Filters.tsx";
import { Orders } from "./Orders.tsx";

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

/** The order that the list has unless its address says another one. */
export function usualSort({ q }: BrowseQuery): BrowseQuery["sort"] {
  return q ? "best" : "hot";
}

/** The orders of the project list, which keep its filters. */
export function ProjectOrders({ query }: { query: BrowseQuery }) {
  const orders = [...(query.q ? [["best", "Best match"] as const] : []), ...SORTS];
  return <Orders query={query} action={paths.projects} usual={usualSort(query)} orders={orders} />;
}

/** The filters of the project list. */
export function ProjectFilters({ query }: { query: BrowseQuery }) {
  return (
    <Filters
      action={paths.projects}
      label="Filter projects"
      placeholder="name, tag, host"
      query={query}
      usualSort={usualSort(query)}
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
