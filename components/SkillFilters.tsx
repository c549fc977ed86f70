import { skillKinds } from "../lib/catalog/skill_kinds.ts";
import { tools } from "../lib/catalog/tools.ts";
import type { SkillQuery } from "../lib/skills/schema.ts";
import { paths } from "../lib/urls.ts";
import { Filters } from "./Filters.tsx";

const SORTS = [["hot", "Hot"], ["new", "New"], ["top", "Most votes"], [
  "copied",
  "Most copied",
]] as const;
const KINDS = skillKinds.map(({ kind, name }) => [kind, name] as const);
const TOOLS = tools.map(({ slug, name }) => [slug, name] as const);

/** The filters of the skill list. */
export function SkillFilters({ query }: { query: SkillQuery }) {
  return (
    <Filters
      action={paths.skills}
      label="Filter skills"
      placeholder="title, tag, tool, task"
      query={query}
      choices={[
        { name: "sort", label: "Order", options: SORTS },
        { name: "kind", label: "Kind", any: "All", options: KINDS },
        { name: "worksWith", label: "Works with", any: "Anything", options: TOOLS },
      ]}
      texts={{ category: "Category", tag: "Tag" }}
    />
  );
}
