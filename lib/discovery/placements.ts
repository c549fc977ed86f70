import { DAY_MS } from "../clock.ts";
import type { StoredGem } from "../listings/schema.ts";
import type { PromotionSpan } from "../promotions/time.ts";

/** When one paid tier of a listing runs, and the tier's name. */
export interface PlacementSpan extends PromotionSpan {
  name: string;
}

/** A listing that holds the Front Row from `startsAt` to before `endsAt` (ms). */
export interface FrontRowPeriod {
  slug: string;
  startsAt: number;
  endsAt: number;
}

/** What a listing shows at one time because it was paid for or picked. */
export interface Placement {
  sponsored: boolean;
  promotion: PlacementSpan | null;
  gem: StoredGem | null;
}

/** The age of a listing at which it stops being a gem. */
export const GEM_MAX_AGE_MS = 14 * DAY_MS;

/** Knows what was paid for and picked, by slug, and which of it shows at a time. */
export class Placements {
  readonly #promotions = new Map<string, readonly PlacementSpan[]>();
  readonly #gems = new Map<string, StoredGem>();
  #frontRow: readonly FrontRowPeriod[] = [];

  /** Sets when a listing's paid tiers run; an empty list where nothing was ever bought. */
  setPromotion(slug: string, spans: readonly PlacementSpan[]): void {
    if (spans.length === 0) this.#promotions.delete(slug);
    else this.#promotions.set(slug, spans);
  }

  /** Sets or drops a gem. False where there was none to drop. */
  setGem(slug: string, gem: StoredGem | null): boolean {
    if (gem === null) return this.#gems.delete(slug);
    this.#gems.set(slug, gem);
    return true;
  }

  /** Sets who holds the Front Row when. */
  setFrontRow(periods: readonly FrontRowPeriod[]): void {
    this.#frontRow = periods;
  }

  /** Whether anything was paid or picked for a slug, at whatever time it shows. */
  has(slug: string): boolean {
    return this.#promotions.has(slug) || this.#gems.has(slug) ||
      this.#frontRow.some((period) => period.slug === slug);
  }

  /**
   * Calls `show` for each listing that shows something at `now` (ms), and returns the time (ms) at
   * which that next changes by itself. `createdAt` gives the time at which a live listing was
   * created, and undefined for others. A gem ends at the age of 14 days, or when the listing is
   * promoted or sponsored.
   */
  at(
    now: number,
    createdAt: (slug: string) => number | undefined,
    show: (slug: string, placement: Placement) => void,
  ): number {
    let nextChange = Infinity;
    const until = (time: number) => {
      if (time > now && time < nextChange) nextChange = time;
    };
    const shown = new Map<string, Placement>();
    const placement = (slug: string) => {
      let found = shown.get(slug);
      if (found === undefined) {
        shown.set(slug, found = { sponsored: false, promotion: null, gem: null });
      }
      return found;
    };
    for (const [slug, spans] of this.#promotions) {
      for (const span of spans) {
        until(span.startsAt);
        until(span.endsAt);
        if (span.startsAt <= now && now < span.endsAt) placement(slug).promotion = span;
      }
    }
    for (const { slug, startsAt, endsAt } of this.#frontRow) {
      until(startsAt);
      until(endsAt);
      if (startsAt <= now && now < endsAt) placement(slug).sponsored = true;
    }
    for (const [slug, gem] of this.#gems) {
      const created = createdAt(slug);
      if (created === undefined || this.isPaidFor(slug, now)) continue;
      until(created + GEM_MAX_AGE_MS);
      if (now < created + GEM_MAX_AGE_MS) placement(slug).gem = gem;
    }
    for (const [slug, placement] of shown) {
      if (createdAt(slug) !== undefined) show(slug, placement);
    }
    return nextChange;
  }

  /** Whether a listing was ever promoted, or sponsored until `now`. */
  isPaidFor(slug: string, now: number): boolean {
    return this.#promotions.has(slug) ||
      this.#frontRow.some((period) => period.slug === slug && period.startsAt <= now);
  }
}
