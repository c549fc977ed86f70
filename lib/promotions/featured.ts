import { MAX_FEATURED_SLOTS, TIER_RANK } from "../catalog/tiers.ts";
import { HOUR_MS } from "../clock.ts";
import type { FeaturedCandidate } from "../listings/placements.ts";

/**
 * The slugs in the featured strip at `now` (ms): up to 12 candidates, given in strip order. If a
 * tier has more listings than free places, they take turns by the hour: each hour shows the next
 * ones in a circle, so all are shown equally often.
 */
export function featuredSlugs(candidates: readonly FeaturedCandidate[], now: number): string[] {
  const hour = Math.floor(now / HOUR_MS);
  const shown: string[] = [];
  for (const tierId of TIER_RANK) {
    const places = MAX_FEATURED_SLOTS - shown.length;
    const tier = candidates.filter((candidate) => candidate.tierId === tierId);
    shown.push(...turn(tier, places, hour).map((candidate) => candidate.slug));
  }
  return shown;
}

function turn<T>(items: T[], places: number, hour: number): T[] {
  if (items.length <= places) return items;
  const first = (hour * places) % items.length;
  return Array.from({ length: places }, (_, i) => items[(first + i) % items.length]!);
}
