import { TIER_RANK, type TierId } from "../catalog/tiers.ts";
import { DAY_MS } from "../clock.ts";
import type { StoredGem } from "./schema.ts";

/** A time that was paid for: from `startsAt` to before `endsAt` (ms). */
export interface Period {
  startsAt: number;
  endsAt: number;
}

/** When one paid tier of a listing runs. */
export interface PromotionSpan extends Period {
  tierId: TierId;
}

/** A listing's time on the Front Row. */
export interface FrontRowPeriod extends Period {
  slug: string;
}

/** What a listing shows at a given time because it was paid for or picked. */
export interface Placement {
  sponsored: boolean;
  promotion: PromotionSpan | null;
  gem: StoredGem | null;
}

/** The age at which a listing stops being a gem. */
export const GEM_MAX_AGE_MS = 14 * DAY_MS;

/**
 * What a listing shows at `now` (ms), and when (ms) that next changes by itself. `gem` is null if
 * the listing was paid for; otherwise it ends at the age of 14 days.
 */
export function placementAt(
  { promotions, weeks, gem, createdAt, now }: {
    promotions: readonly PromotionSpan[];
    weeks: readonly FrontRowPeriod[];
    gem: StoredGem | null;
    createdAt: number;
    now: number;
  },
): { placement: Placement; until: number } {
  const gemEndsAt = createdAt + GEM_MAX_AGE_MS;
  const times = [...promotions, ...weeks].flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]);
  if (gem !== null) times.push(gemEndsAt);
  const isNow = ({ startsAt, endsAt }: Period) => startsAt <= now && now < endsAt;
  return {
    placement: {
      promotion: promotions.find(isNow) ?? null,
      sponsored: weeks.some(isNow),
      gem: now < gemEndsAt ? gem : null,
    },
    until: Math.min(...times.filter((time) => time > now)),
  };
}

/** The fields of a promoted listing that decide its place in the strip. */
export interface FeaturedCandidate extends Omit<PromotionSpan, "startsAt"> {
  slug: string;
}

/** The order of the strip: higher tiers first, then the earliest end. */
export function byPlaceInStrip(a: FeaturedCandidate, b: FeaturedCandidate): number {
  return TIER_RANK.indexOf(a.tierId) - TIER_RANK.indexOf(b.tierId) || a.endsAt - b.endsAt ||
    (a.slug < b.slug ? -1 : 1);
}
