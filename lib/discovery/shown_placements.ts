import { byPlaceInStrip, type FeaturedCandidate } from "../promotions/featured.ts";
import { Bitmap } from "./bitmap.ts";
import type { Placements } from "./placements.ts";
import type { RecordStore } from "./record_store.ts";

/** A live listing: its slot, and when it was created (ms). */
export interface LiveListing {
  slot: number;
  createdAt: number;
}

/** Why placements show differently: an edit, or only the passing of time. */
export type Cause = "edit" | "time";

/**
 * What was paid or picked and shows now, by slot. That of one listing is worked out again after an
 * edit of it, and when time changes it.
 */
export class ShownPlacements {
  readonly #placements: Placements;
  readonly #records: RecordStore;
  readonly #find: (slug: string) => LiveListing | undefined;
  /** The live listings that something was paid or picked for, and until when each stays as it is. */
  readonly #known = new Map<string, { slot: number; until: number }>();
  /** Slugs of listings of which an edit may have changed what shows. */
  #edited = new Set<string>();
  #at = -Infinity;
  #until = Infinity;
  /** Slots of promoted listings. */
  readonly promoted = new Bitmap();
  /** Slots of gems. */
  readonly gems = new Bitmap();
  /** The slug of the live listing that holds the Front Row, or null. */
  frontRow: string | null = null;
  /** The live listings that are promoted, in the order of the strip. A new array after each change. */
  promotions: FeaturedCandidate[] = [];

  constructor(
    { placements, records, find }: {
      placements: Placements;
      records: RecordStore;
      find: (slug: string) => LiveListing | undefined;
    },
  ) {
    this.#placements = placements;
    this.#records = records;
    this.#find = find;
  }

  /** Notes that an edit may have changed what shows of a listing. */
  expire(slug: string): void {
    if (this.#known.has(slug) || this.#placements.has(slug)) this.#edited.add(slug);
  }

  /**
   * Works out what shows at `now`. Returns why it changed, or null if nothing had to be worked out.
   */
  update(now: number): Cause | null {
    const cause = this.#edited.size > 0 ? "edit" : "time";
    if (now >= this.#until || now < this.#at) {
      for (const [slug, { until }] of this.#known) {
        if (now >= until || now < this.#at) this.#edited.add(slug);
      }
    }
    if (this.#edited.size === 0) return null;
    const changed = this.#edited;
    this.#edited = new Set();
    this.#at = now;
    // All are taken away first: another listing may have got the slot of one that was removed.
    for (const slug of changed) this.#drop(slug);
    this.promotions = this.promotions.filter(({ slug }) => !changed.has(slug));
    for (const slug of changed) this.#show(slug, now);
    // Nearly sorted, so this takes about one comparison for each.
    this.promotions.sort(byPlaceInStrip);
    this.#until = Infinity;
    for (const { until } of this.#known.values()) this.#until = Math.min(this.#until, until);
    return cause;
  }

  #drop(slug: string): void {
    const known = this.#known.get(slug);
    if (known === undefined) return;
    this.#known.delete(slug);
    this.promoted.delete(known.slot);
    this.gems.delete(known.slot);
    this.#records.place(known.slot, null);
    if (this.frontRow === slug) this.frontRow = null;
  }

  #show(slug: string, now: number): void {
    const listing = this.#find(slug);
    if (listing === undefined || !this.#placements.has(slug)) return;
    const { slot, createdAt } = listing;
    const { placement, until } = this.#placements.of(slug, { createdAt, now });
    this.#known.set(slug, { slot, until });
    this.#records.place(slot, placement);
    if (placement.sponsored) this.frontRow = slug;
    if (placement.promotion !== null) {
      this.promoted.add(slot);
      this.promotions.push({ slug, ...placement.promotion });
    }
    if (placement.gem !== null) this.gems.add(slot);
  }
}
