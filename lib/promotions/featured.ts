import { MAX_FEATURED_SLOTS, TIER_RANK, type TierId } from "../catalog/tiers.ts";
import { HOUR_MS } from "../clock.ts";

/** The part of a promoted listing that the order of the strip depends on. */
export interface FeaturedCandidate {
  slug: string;
  tierId: TierId;
  endsAt: number;
}

/**
 * The slugs in the featured strip at `now` (ms), at most 12: higher tiers first, then the earliest
 * end. If a tier has more listings than places are left, they take turns by the hour: each hour
 * shows the next ones in a circle, so that each is shown equally often.
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
