import {
  byPlaceInStrip,
  type FeaturedCandidate,
  type Placement,
  type Placements,
} from "./placements.ts";

/** A live listing, as far as placements go. */
interface Live {
  slug: string;
  /** ms since the epoch. */
  createdAt: number;
  /** What it shows because it was paid for or picked; null where nothing ever was. */
  placement: Placement | null;
}

/**
 * What was paid or picked and shows now. That of one listing is worked out again after an edit of
 * it, and when time changes it.
 */
export class ShownPlacements<T extends Live> {
  readonly #placements: Placements;
  readonly #find: (slug: string) => T | undefined;
  readonly #place: (listing: T, placement: Placement | null) => void;
  /** The live listings that something was paid or picked for, and until when each stays as it is. */
  readonly #until = new Map<string, number>();
  /** Slugs of listings that were edited, which may have changed what shows. */
  #edited = new Set<string>();
  #at = -Infinity;
  #next = Infinity;
  /** The slug of the live listing that holds the Front Row, or null. */
  frontRow: string | null = null;
  /** The live listings that are promoted, in the order of the strip. A new array after each change. */
  promotions: readonly FeaturedCandidate[] = [];

  constructor({ placements, find, place }: {
    placements: Placements;
    find: (slug: string) => T | undefined;
    /** Shows another placement of a listing. */
    place: (listing: T, placement: Placement | null) => void;
  }) {
    this.#placements = placements;
    this.#find = find;
    this.#place = place;
  }

  /** Notes that an edit may have changed what shows of a listing. */
  expire(slug: string): void {
    if (this.#until.has(slug) || this.#placements.has(slug)) this.#edited.add(slug);
  }

  /** Works out what shows at `now`. Says whether anything had to be worked out. */
  update(now: number): boolean {
    if (now >= this.#next || now < this.#at) {
      for (const [slug, until] of this.#until) {
        if (now >= until || now < this.#at) this.#edited.add(slug);
      }
    }
    if (this.#edited.size === 0) return false;
    const changed = this.#edited;
    this.#edited = new Set();
    this.#at = now;
    const promotions = this.promotions.filter(({ slug }) => !changed.has(slug));
    for (const slug of changed) {
      this.#until.delete(slug);
      if (this.frontRow === slug) this.frontRow = null;
    }
    for (const slug of changed) {
      const listing = this.#find(slug);
      if (listing === undefined) continue;
      if (!this.#placements.has(slug)) {
        this.#place(listing, null);
        continue;
      }
      const { placement, until } = this.#placements.of(slug, { createdAt: listing.createdAt, now });
      this.#until.set(slug, until);
      this.#place(listing, placement);
      if (placement.sponsored) this.frontRow = slug;
      if (placement.promotion !== null) promotions.push({ slug, ...placement.promotion });
    }
    // Nearly sorted, so this takes about one comparison for each.
    this.promotions = promotions.sort(byPlaceInStrip);
    this.#next = Math.min(Infinity, ...this.#until.values());
    return true;
  }
}
