import type { SearchPage } from "../read_model/lists.ts";
import type { Deps } from "./deps.ts";

/** How many projects and skills match the search words well, ignoring filters. */
export type Elsewhere = Record<"project" | "skill", number>;

/**
 * For a search without good matches in its list: how many there are without filters, and in the
 * other list. Otherwise null.
 */
export async function searchElsewhere(
  { catalogue, skills }: Deps,
  q: string | undefined,
  { total, nearest }: SearchPage<unknown>,
): Promise<Elsewhere | null> {
  if (!q || (total > 0 && !nearest)) return null;
  await Promise.all([catalogue.textReady({ q }), skills.textReady({ q })]);
  const totalOf = (list: Pick<typeof catalogue | typeof skills, "select">) => {
    const { total, search } = list.select({ q, limit: 1 });
    return search!.nearest ? 0 : total;
  };
  return { project: totalOf(catalogue), skill: totalOf(skills) };
}
