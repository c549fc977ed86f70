import { z } from "zod";

/** The sort orders for lists: their names in titles and on links, and their rules. */
export const SORTS = [
  { id: "hot", name: "Hot", label: "Hot", rule: "Highest hot score first" },
  { id: "new", name: "New", label: "New", rule: "Newest first" },
  { id: "top", name: "Top", label: "Most votes", rule: "Most votes of all time first" },
] as const;
/** One of the sort orders. */
export const sortId = z.enum(SORTS.map(({ id }) => id));

/** The sort orders of skills. `copied` sorts by uses. */
export const SKILL_SORTS = [
  ...SORTS,
  { id: "copied", name: "Most copied", label: "Most copied" },
] as const;
/** A sort order of skills. */
export const skillSortId = z.enum(SKILL_SORTS.map(({ id }) => id));
/** A sort order of projects or skills. */
export type Sort = z.infer<typeof skillSortId>;

/** Describes a parameter that names an order. `hot` is what a hot score consists of. */
export function describeSort(sorts: typeof SORTS | typeof SKILL_SORTS, hot: string): string {
  const meanings = sorts.map(({ id, label }) => {
    const meaning = id === "hot" ? hot : label.toLowerCase();
    return meaning === id ? id : `${id}: ${meaning}`;
  });
  return `${meanings.join("; ")}. Default: hot, or best match in a search`;
}
