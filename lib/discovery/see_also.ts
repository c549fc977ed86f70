import type { Deps } from "../deps.ts";
import type { PublicListing } from "../listings/schema.ts";
import type { PublicSkill } from "../skills/schema.ts";

/** How many entries a page leads on to. */
const SHOWN = 6;

/** The first of a list: with the entry itself among them, enough are left. */
const FIRST = { sort: "hot", limit: SHOWN + 1, offset: 0 } as const;

/**
 * Listings to read after one: of the hottest under each of its tags and in its category, first those
 * that have most of these in common with it.
 */
export function seeAlso(
  { catalogue }: Pick<Deps, "catalogue">,
  { slug, tags, category }: PublicListing,
): PublicListing[] {
  const queries = [...tags.map((tag) => ({ tag })), ...(category === null ? [] : [{ category }])];
  return mostShared(slug, queries.map((query) => catalogue.list({ ...FIRST, ...query }).items));
}

/** Skills to read after one, as `seeAlso` finds listings: by tags, category and kind. */
export function seeAlsoSkills(
  { skills, clock }: Pick<Deps, "skills" | "clock">,
  { slug, tags, category, kind }: PublicSkill,
): PublicSkill[] {
  const now = clock.now();
  const queries = [
    ...tags.map((tag) => ({ tag })),
    ...(category === null ? [] : [{ category }]),
    { kind },
  ];
  return mostShared(slug, queries.map((query) => skills.list({ ...FIRST, ...query }, now).items));
}

/** The entries of some lists but for one, first those that are in most of them. */
function mostShared<T extends { slug: string }>(slug: string, lists: T[][]): T[] {
  const shared = new Map<string, { entry: T; count: number }>();
  for (const entry of lists.flat()) {
    if (entry.slug === slug) continue;
    const count = (shared.get(entry.slug)?.count ?? 0) + 1;
    shared.set(entry.slug, { entry, count });
  }
  return [...shared.values()].toSorted((a, b) => b.count - a.count).slice(0, SHOWN)
    .map(({ entry }) => entry);
}
