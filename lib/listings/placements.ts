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

/** Knows what was paid for and picked, by slug, and which of it shows at a given time. */
export class Placements {
  readonly #promotions = new Map<string, readonly PromotionSpan[]>();
  readonly #gems = new Map<string, StoredGem>();
  #frontRow = new Map<string, FrontRowPeriod[]>();

  /** Sets when a listing's paid tiers run; empty if nothing was ever bought. */
  setPromotion(slug: string, spans: readonly PromotionSpan[]): void {
    if (spans.length === 0) this.#promotions.delete(slug);
    else this.#promotions.set(slug, spans);
  }

  /** Sets or drops a gem. False if there was none to drop. */
  setGem(slug: string, gem: StoredGem | null): boolean {
    if (gem === null) return this.#gems.delete(slug);
    this.#gems.set(slug, gem);
    return true;
  }

  /** The gem of a slug, whether or not it shows. */
  gem(slug: string): StoredGem | null {
    return this.#gems.get(slug) ?? null;
  }

  /** Sets the Front Row periods. */
  setFrontRow(periods: readonly FrontRowPeriod[]): void {
    this.#frontRow = Map.groupBy(periods, ({ slug }) => slug);
  }

  /**
   * The slugs of all listings with a promotion, a gem or a Front Row week, whether or not it shows
   * now.
   */
  slugs(): Set<string> {
    return new Set([...this.#promotions.keys(), ...this.#gems.keys(), ...this.#frontRow.keys()]);
  }

  /** True if a slug is one of them. */
  has(slug: string): boolean {
    return this.#promotions.has(slug) || this.#gems.has(slug) || this.#frontRow.has(slug);
  }

  /**
   * What a listing shows at `now` (ms), and when (ms) that next changes by itself. A gem ends at
   * the age of 14 days, or when the listing is promoted or sponsored.
   */
  of(
    slug: string,
    { createdAt, gem: picked, now }: { createdAt: number; gem: StoredGem | null; now: number },
  ): { placement: Placement; until: number } {
    const promotions = this.#promotions.get(slug) ?? [];
    const weeks = this.#frontRow.get(slug) ?? [];
    const gem = this.isPaidFor(slug, now) ? null : picked;
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

  /** True if a listing was ever promoted, or sponsored by `now`. */
  isPaidFor(slug: string, now: number): boolean {
    return this.#promotions.has(slug) ||
      (this.#frontRow.get(slug)?.some(({ startsAt }) => startsAt <= now) ?? false);
  }
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
