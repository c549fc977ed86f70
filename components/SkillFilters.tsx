import { skillKinds } from "../lib/catalog/skill_kinds.ts";
import { tools } from "../lib/catalog/tools.ts";
import type { SkillQuery } from "../lib/skills/schema.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { Filters } from "./Filters.tsx";
import { Tabs } from "./Tabs.tsx";

const SORTS = [["hot", "Hot"], ["new", "New"], ["top", "Most votes"], [
  "copied",
  "Most copied",
]] as const;
const KINDS = skillKinds.map(({ kind, name }) => [kind, name] as const);
const TOOLS = tools.map(({ slug, name }) => [slug, name] as const);

/** The orders of the skill list, which keep its filters. */
export function SkillOrders({ query }: { query: SkillQuery }) {
  const { limit: _limit, offset: _offset, ...kept } = query;
  return (
    <Tabs
      label="Order"
      tabs={SORTS.map(([sort, name]) => ({
        name,
        href: withQuery(paths.skills, { ...kept, sort: sort === "hot" ? undefined : sort }),
        isCurrent: sort === query.sort,
      }))}
    />
  );
}

/** The filters of the skill list. */
export function SkillFilters({ query }: { query: SkillQuery }) {
  return (
    <Filters
      action={paths.skills}
      label="Filter skills"
      placeholder="title, tag, tool, task"
      query={query}
      sort={query.sort === "hot" ? undefined : query.sort}
      choices={[
        { name: "kind", label: "Kind", any: "All", options: KINDS },
        { name: "worksWith", label: "Works with", any: "Anything", options: TOOLS },
      ]}
      texts={{ category: "Category", tag: "Tag" }}
    />
  );
}
