import type { PublicListing } from "../listings/schema.ts";
import type { PublicSkill } from "../skills/schema.ts";
import type { Deps } from "./deps.ts";

/** How many related entries a page shows. */
const SHOWN = 6;

/** How many entries to read from each list: enough even if the entry itself is among them. */
const LOOKED_AT = { sort: "hot", limit: SHOWN + 1 } as const;

/**
 * Related listings: the hottest with each of its tags and in its category. Those in the most lists
 * come first, then in list order.
 */
export function seeAlso(
  { catalogue }: Pick<Deps, "catalogue">,
  { slug, tags, category }: PublicListing,
): PublicListing[] {
  const queries = [...tags.map((tag) => ({ tag })), ...(category === null ? [] : [{ category }])];
  const found = queries.flatMap((query) => catalogue.select({ ...query, ...LOOKED_AT }).rows);
  return mostFound(found.filter((row) => row.slug !== slug)).map(catalogue.toPublic);
}

/** Related skills, found as in `seeAlso`: by tags, category and kind. */
export function seeAlsoSkills(
  { skills }: Pick<Deps, "skills">,
  { slug, tags, category, kind }: PublicSkill,
): PublicSkill[] {
  const queries = [
    ...tags.map((tag) => ({ tag })),
    ...(category === null ? [] : [{ category }]),
    { kind },
  ];
  const found = queries.flatMap((query) => skills.select({ ...query, ...LOOKED_AT }).rows);
  return mostFound(found.filter((row) => row.slug !== slug)).map(skills.toPublic);
}

/** The most frequent entries first, with ties in the given order; no more than a page shows. */
function mostFound<T>(found: T[]): T[] {
  const counts = new Map<T, number>();
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN).map(([one]) => one);
}
