import { MAX_FEATURED_SLOTS, TIER_RANK, type TierId } from "../catalog/tiers.ts";
import { HOUR_MS } from "../clock.ts";

/** A promoted listing, as far as the order of the strip depends on it. */
export interface FeaturedCandidate {
  slug: string;
  tierId: TierId;
  endsAt: number;
}

/**
 * The slugs in the featured strip at `now`, at most 12: higher tiers first, then the earliest end.
 * Where a tier has more listings than places are left, they take turns by the hour, in windows
 * that move by as many places as there are, so that each is shown equally often.
 */
export function featuredSlugs(candidates: readonly FeaturedCandidate[], now: number): string[] {
  const shown: string[] = [];
  for (const tierId of TIER_RANK) {
    const places = MAX_FEATURED_SLOTS - shown.length;
    if (places === 0) break;
    const tier = candidates.filter((candidate) => candidate.tierId === tierId)
      .sort((a, b) => a.endsAt - b.endsAt || (a.slug < b.slug ? -1 : 1));
    shown.push(...turn(tier, places, now).map((candidate) => candidate.slug));
  }
  return shown;
}

function turn<T>(items: T[], places: number, now: number): T[] {
  if (items.length <= places) return items;
  const first = (Math.floor(now / HOUR_MS) * places) % items.length;
  return Array.from({ length: places }, (_, i) => items[(first + i) % items.length]!);
}
