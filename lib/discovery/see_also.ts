import type { PublicListing } from "../listings/schema.ts";
import type { PublicSkill } from "../skills/schema.ts";
import type { Deps } from "./deps.ts";

/** How many entries a page leads on to. */
const SHOWN = 6;

/** How many of each list are looked at: with the entry itself among them, enough are left. */
const LOOKED_AT = { sort: "hot", limit: SHOWN + 1 } as const;

/**
 * Listings to read after one: of the hottest under each of its tags and in its category, first those
 * that are in most of these lists, then in the order of the lists.
 */
export function seeAlso(
  { catalogue }: Pick<Deps, "catalogue">,
  { slug, tags, category }: PublicListing,
): PublicListing[] {
  const queries = [...tags.map((tag) => ({ tag })), ...(category === null ? [] : [{ category }])];
  const found = queries.flatMap((query) => catalogue.select({ ...query, ...LOOKED_AT }).rows);
  return mostFound(found.filter((row) => row.slug !== slug)).map(catalogue.toPublic);
}

/** Skills to read after one, as `seeAlso` finds listings: by tags, category and kind. */
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

/** What was found most often first, else in the order given; no more than are shown. */
function mostFound<T>(found: T[]): T[] {
  const counts = new Map<T, number>();
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN).map(([one]) => one);
}
