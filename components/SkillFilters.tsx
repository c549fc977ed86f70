import { skillKinds } from "../lib/catalog/skill_kinds.ts";
import { tools } from "../lib/catalog/tools.ts";
import type { SkillBrowseQuery } from "../lib/skills/schema.ts";
import { paths } from "../lib/urls.ts";
import { Filters } from "./Filters.tsx";

const KINDS = skillKinds.map(({ kind, name }) => [kind, name] as const);
const TOOLS = tools.map(({ slug, name }) => [slug, name] as const);

/** The filters of the skill list. */
export function SkillFilters({ query }: { query: SkillBrowseQuery }) {
  return (
    <Filters
      action={paths.skills}
      label="Filter skills"
      placeholder="What do you need?"
      query={query}
      choices={[
        { name: "kind", label: "Kind", any: "All", options: KINDS },
        { name: "worksWith", label: "Works with", any: "Any tool", options: TOOLS },
      ]}
      texts={{ category: "Category", tag: "Tag" }}
    />
  );
}
