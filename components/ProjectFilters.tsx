import type { Deps } from "../lib/app/deps.ts";
import { categories } from "../lib/catalog/categories.ts";
import { pricingModels } from "../lib/catalog/pricing.ts";
import { tools } from "../lib/catalog/tools.ts";
import type { BrowseQuery } from "../lib/discovery/query.ts";
import { plural } from "../lib/text/count.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { activeFilters, Filters } from "./Filters.tsx";
import { namedSort } from "./Orders.tsx";

const names = (list: readonly { slug: string; name: string }[]) =>
  list.map(({ slug, name }) => [slug, name] as const);
const CATEGORIES = names(categories);
const TOOLS = names(tools);
const PRICES = names(pricingModels);

const HEALTHS = [
  ["alive", "Works"],
  ["moved", "Moved"],
  ["gated", "Needs a login or blocks bots"],
  ["gone", "Not found"],
] as const;

/** Filters that come from a link and that a visitor can only keep or clear. */
const LINKED = [
  { name: "gems", label: "Kind", any: "All", options: [["1", "Hidden gems"]] },
  { name: "promoted", label: "Placement", any: "All", options: [["1", "Promoted"]] },
  { name: "health", label: "Link", any: "Any", options: HEALTHS },
] as const;

const TEXTS = { tag: "Tag" };

/** The filters of a list with a choice of values. */
function choicesOf(query: BrowseQuery) {
  return [
    { name: "category", label: "Category", any: "All", options: CATEGORIES },
    { name: "tool", label: "Built with", any: "Any tool", options: TOOLS },
    { name: "pricing", label: "Price", any: "Any", options: PRICES },
    ...LINKED.filter(({ name }) => query[name] !== undefined),
  ] as const;
}

/**
 * For a list without search words or results: links that each drop one of its filters, if there are
 * several.
 */
export function FewerFilters(
  { query, catalogue }: { query: BrowseQuery; catalogue: Deps["catalogue"] },
) {
  const { limit: _limit, offset: _offset, explain: _explain, ...filters } = query;
  const set = activeFilters({ query, choices: choicesOf(query), texts: TEXTS });
  if (query.q || set.length < 2) return null;
  const sort = namedSort(query);
  return set.map(([name, label]) => {
    const fewer = { ...filters, [name]: undefined };
    const { total } = catalogue.select({ ...fewer, limit: 1 });
    return total > 0 && (
      <p key={name}>
        <a href={withQuery(paths.projects, { ...fewer, sort })} aria-current="false">
          {plural(total, "project")} without the “{label}” filter
        </a>
      </p>
    );
  });
}

/** The filters of the project list. */
export function ProjectFilters({ query }: { query: BrowseQuery }) {
  return (
    <Filters
      action={paths.projects}
      label="Filter projects"
      query={query}
      choices={choicesOf(query)}
      texts={TEXTS}
    />
  );
}
