import type { Deps } from "../deps.ts";
import type { PublicListing } from "../listings/schema.ts";

/** How many listings a page leads on to. */
const SHOWN = 6;

/**
 * Listings to read after one: of the hottest under each of its tags and in its category, first those
 * that have most of these in common with it.
 */
export function seeAlso(
  { catalogue }: Pick<Deps, "catalogue">,
  { slug, tags, category }: PublicListing,
): PublicListing[] {
  const shelves = [...tags.map((tag) => ({ tag })), ...(category === null ? [] : [{ category }])];
  const shared = new Map<string, number>();
  for (const shelf of shelves) {
    for (const slot of catalogue.select({ ...shelf, limit: SHOWN + 1 }).slots) {
      const other = catalogue.slug(slot);
      if (other !== slug) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
  }
  return [...shared].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN)
    .flatMap(([other]) => catalogue.get(other) ?? []);
}
