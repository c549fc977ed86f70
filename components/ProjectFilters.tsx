import { categories } from "../lib/catalog/categories.ts";
import { pricingModels } from "../lib/catalog/pricing.ts";
import { tools } from "../lib/catalog/tools.ts";
import type { BrowseQuery } from "../lib/discovery/query.ts";
import { LIMITS } from "../lib/limits.ts";
import { paths } from "../lib/urls.ts";
import { FilterChoice, FilterWords } from "./Filter.tsx";

const SORTS = [["hot", "Hot"], ["new", "New"], ["top", "Most votes"]] as const;
const SEARCH_SORTS = [["best", "Best match"], ...SORTS] as const;

/** The filters of the project list: a GET form, so that every view has an address. */
export function ProjectFilters({ query }: { query: BrowseQuery }) {
  return (
    <form class="filters" action={paths.projects} role="search" aria-label="Filter projects">
      <FilterWords value={query.q} placeholder="name, tag, host, idea" />
      <FilterChoice
        name="sort"
        label="Order"
        value={query.sort}
        options={query.q ? SEARCH_SORTS : SORTS}
      />
      <FilterChoice
        name="category"
        label="Category"
        value={query.category}
        any="All"
        options={categories.map(({ slug, name }) => [slug, name] as const)}
      />
      <FilterChoice
        name="tool"
        label="Built with"
        value={query.tool}
        any="Anything"
        options={tools.map(({ slug, name }) => [slug, name] as const)}
      />
      <FilterChoice
        name="pricing"
        label="Price"
        value={query.pricing}
        any="Any"
        options={pricingModels.map(({ slug, name }) => [slug, name] as const)}
      />
      {query.tag && (
        <div class="filter">
          <label for="tag">Tag</label>
          <input id="tag" name="tag" value={query.tag} maxLength={LIMITS.tagMax} />
        </div>
      )}
      <button type="submit" class="button">Show</button>
    </form>
  );
}
