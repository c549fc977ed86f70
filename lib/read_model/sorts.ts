import { z } from "zod";

/** The sort orders for lists, with the rule shown to people. */
export const SORTS = [
  { id: "hot", name: "Hot", rule: "Highest hot score first" },
  { id: "new", name: "New", rule: "Newest first" },
  { id: "top", name: "Top", rule: "Most votes of all time first" },
] as const;
/** One of the sort orders. */
export const sortId = z.enum(SORTS.map(({ id }) => id));
export type SortId = z.infer<typeof sortId>;
