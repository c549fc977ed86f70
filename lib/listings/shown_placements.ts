import {
  byPlaceInStrip,
  type FeaturedCandidate,
  type Placement,
  type Placements,
} from "./placements.ts";

/** The fields of a live listing that placements need. */
interface Live {
  slug: string;
  /** ms since the epoch. */
  createdAt: number;
  /** What it shows because it was paid for or picked; null if nothing ever was. */
  placement: Placement | null;
}

/**
 * What was paid for or picked and shows now. A listing's part is recomputed after an edit, and when
 * time changes it.
 */
export class ShownPlacements<T extends Live> {
  readonly #placements: Placements;
  readonly #find: (slug: string) => T | undefined;
  readonly #place: (listing: T, placement: Placement | null) => void;
  /** Live listings with something paid for or picked, and until when each stays unchanged. */
  readonly #until = new Map<string, number>();
  /** Slugs of edited listings: the edits may have changed what shows. */
  #edited = new Set<string>();
  #at = -Infinity;
  #next = Infinity;
  /** The slug of the live listing on the Front Row, or null. */
  frontRow: string | null = null;
  /** The promoted live listings, in the order of the strip. A new array after each change. */
  promotions: readonly FeaturedCandidate[] = [];

  constructor({ placements, find, place }: {
    placements: Placements;
    find: (slug: string) => T | undefined;
    /** Changes a listing's placement. */
    place: (listing: T, placement: Placement | null) => void;
  }) {
    this.#placements = placements;
    this.#find = find;
    this.#place = place;
  }

  /** Notes that an edit may have changed what a listing shows. */
  expire(slug: string): void {
    if (this.#until.has(slug) || this.#placements.has(slug)) this.#edited.add(slug);
  }

  /** Works out what shows at `now`. True if there was anything to work out. */
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
    // Nearly sorted, so this takes about one comparison each.
    this.promotions = promotions.sort(byPlaceInStrip);
    this.#next = Math.min(Infinity, ...this.#until.values());
    return true;
  }
}
