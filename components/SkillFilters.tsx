import { skillKinds } from "../lib/catalog/skill_kinds.ts";
import { tools } from "../lib/catalog/tools.ts";
import { LIMITS } from "../lib/limits.ts";
import type { SkillQuery } from "../lib/skills/schema.ts";
import { paths } from "../lib/urls.ts";
import { FilterChoice, FilterWords } from "./Filter.tsx";

const SORTS = [["hot", "Hot"], ["new", "New"], ["top", "Most votes"], [
  "copied",
  "Most copied",
]] as const;

/** The filters of the skill list: a GET form, so that every view has an address. */
export function SkillFilters({ query }: { query: SkillQuery }) {
  return (
    <form class="filters" action={paths.skills} role="search" aria-label="Filter skills">
      <FilterWords value={query.q} placeholder="title, tag, tool, task" />
      <FilterChoice name="sort" label="Order" value={query.sort} options={SORTS} />
      <FilterChoice
        name="kind"
        label="Kind"
        value={query.kind}
        any="All"
        options={skillKinds.map(({ kind, name }) => [kind, name] as const)}
      />
      <FilterChoice
        name="worksWith"
        label="Works with"
        value={query.worksWith}
        any="Anything"
        options={tools.map(({ slug, name }) => [slug, name] as const)}
      />
      {(["category", "tag"] as const).map((name) =>
        query[name] && (
          <div class="filter" key={name}>
            <label for={name}>{name === "tag" ? "Tag" : "Category"}</label>
            <input id={name} name={name} value={query[name]} maxLength={LIMITS.tagMax} />
          </div>
        )
      )}
      <button type="submit" class="button">Show</button>
    </form>
  );
}
