import { categories } from "../lib/catalog/categories.ts";
import { pricingModels } from "../lib/catalog/pricing.ts";
import { tools } from "../lib/catalog/tools.ts";
import type { ListingQuery } from "../lib/discovery/query.ts";
import { LIMITS } from "../lib/limits.ts";
import { paths } from "../lib/urls.ts";

const SORTS = [["hot", "Hot"], ["new", "New"], ["top", "Most votes"]] as const;

/** The filters of the project list: a GET form, so that every view has an address. */
export function ProjectFilters({ query }: { query: ListingQuery }) {
  return (
    <form class="filters" action={paths.projects} role="search" aria-label="Filter projects">
      <div class="filter wide">
        <label for="q">Words</label>
        <input
          id="q"
          name="q"
          type="search"
          value={query.q ?? ""}
          maxLength={LIMITS.queryMax}
          placeholder="name, tag, host, idea"
        />
      </div>
      <Choice name="sort" label="Order" value={query.sort} options={SORTS} />
      <Choice
        name="category"
        label="Category"
        value={query.category}
        any="All"
        options={categories.map(({ slug, name }) => [slug, name] as const)}
      />
      <Choice
        name="tool"
        label="Built with"
        value={query.tool}
        any="Anything"
        options={tools.map(({ slug, name }) => [slug, name] as const)}
      />
      <Choice
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

function Choice(props: {
  name: string;
  label: string;
  value: string | undefined;
  any?: string;
  options: readonly (readonly [value: string, label: string])[];
}) {
  return (
    <div class="filter">
      <label for={props.name}>{props.label}</label>
      <select id={props.name} name={props.name}>
        {props.any !== undefined && <option value="">{props.any}</option>}
        {props.options.map(([value, label]) => (
          <option key={value} value={value} selected={value === props.value}>{label}</option>
        ))}
      </select>
    </div>
  );
}
