import type { Deps } from "./deps.ts";

/** How many projects and skills the words of a search match well, whatever its filters. */
export type Elsewhere = Record<"project" | "skill", number>;

/** What the words of a search that found nothing in its own list find without filters, and in the other list. */
export async function searchElsewhere({ catalogue, skills }: Deps, q: string): Promise<Elsewhere> {
  await Promise.all([catalogue.textReady({ q }), skills.textReady({ q })]);
  const totalOf = (list: Pick<typeof catalogue | typeof skills, "select">) => {
    const { total, search } = list.select({ q, limit: 1 });
    return search!.nearest ? 0 : total;
  };
  return { project: totalOf(catalogue), skill: totalOf(skills) };
}
