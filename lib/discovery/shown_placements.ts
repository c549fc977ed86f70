import type { FeaturedCandidate } from "../promotions/featured.ts";
import { Bitmap } from "./bitmap.ts";
import type { Placements } from "./placements.ts";
import type { RecordStore } from "./record_store.ts";

/** A live listing's slot, and when it was created (ms). */
export interface Standing {
  slot: number;
  createdAt: number;
}

/** Why placements show differently: an edit, or only the passing of time. */
export type Cause = "edit" | "time";

/**
 * What was paid or picked and shows now, by slot. It is worked out again after an edit, and at the
 * next time at which it changes by itself.
 */
export class ShownPlacements {
  readonly #placements: Placements;
  readonly #records: RecordStore;
  readonly #find: (slug: string) => Standing | undefined;
  #at = -Infinity;
  #until = -Infinity;
  /** Slots of promoted listings. */
  promoted = new Bitmap();
  /** Slots of gems. */
  gems = new Bitmap();
  /** The slug of the live listing that holds the Front Row, or null. */
  frontRow: string | null = null;
  /** The live listings that are promoted, in no order. */
  promotions: FeaturedCandidate[] = [];

  constructor(
    { placements, records, find }: {
      placements: Placements;
      records: RecordStore;
      find: (slug: string) => Standing | undefined;
    },
  ) {
    this.#placements = placements;
    this.#records = records;
    this.#find = find;
  }

  /** Notes that an edit may have changed what shows. */
  expire(): void {
    this.#until = -Infinity;
  }

  /**
   * Works out what shows at `now`. Returns why it changed, or null if nothing had to be worked out.
   */
  update(now: number): Cause | null {
    if (now < this.#until && now >= this.#at) return null;
    const cause = this.#until === -Infinity ? "edit" : "time";
    this.#at = now;
    this.promoted = new Bitmap();
    this.gems = new Bitmap();
    this.frontRow = null;
    this.promotions = [];
    this.#records.clearPlacements();
    const createdAt = (slug: string) => this.#find(slug)?.createdAt;
    this.#until = this.#placements.at(now, createdAt, (slug, placement) => {
      const { slot } = this.#find(slug)!;
      this.#records.place(slot, placement);
      if (placement.sponsored) this.frontRow = slug;
      if (placement.promotion !== null) {
        this.promoted.add(slot);
        this.promotions.push({ slug, ...placement.promotion });
      }
      if (placement.gem !== null) this.gems.add(slot);
    });
    return cause;
  }
}
