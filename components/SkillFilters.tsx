import { skillKinds } from "../lib/catalog/skill_kinds.ts";
import { tools } from "../lib/catalog/tools.ts";
import type { SkillBrowseQuery } from "../lib/skills/schema.ts";
import { paths } from "../lib/urls.ts";
import { Filters } from "./Filters.tsx";
import { Orders } from "./Orders.tsx";
import { SORTS as LISTING_SORTS } from "./ProjectFilters.tsx";

/** The orders of the skill list. */
export const SORTS = [...LISTING_SORTS, ["copied", "Most copied"]] as const;
const KINDS = skillKinds.map(({ kind, name }) => [kind, name] as const);
const TOOLS = tools.map(({ slug, name }) => [slug, name] as const);

/** The order that the list has unless its address says another one. */
export function usualSort({ q }: SkillBrowseQuery): SkillBrowseQuery["sort"] {
  return q ? "best" : "hot";
}

/** The orders of the skill list, which keep its filters. */
export function SkillOrders({ query }: { query: SkillBrowseQuery }) {
  const orders = [...(query.q ? [["best", "Best match"] as const] : []), ...SORTS];
  return <Orders query={query} action={paths.skills} usual={usualSort(query)} orders={orders} />;
}

/** The filters of the skill list. */
export function SkillFilters({ query }: { query: SkillBrowseQuery }) {
  return (
    <Filters
      action={paths.skills}
      label="Filter skills"
      placeholder="Search by title, tag or tool"
      query={query}
      usualSort={usualSort(query)}
      choices={[
        { name: "kind", label: "Kind", any: "All", options: KINDS },
        { name: "worksWith", label: "Works with", any: "Anything", options: TOOLS },
      ]}
      texts={{ category: "Category", tag: "Tag" }}
    />
  );
}
