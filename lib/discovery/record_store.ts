import type { Placement } from "./placements.ts";

/** The part of a public record that changes without an edit, as it stands where nothing is known. */
const PLAIN = volatile({ votes: 0, clicks: 0, sponsored: false, promotion: null, gem: null });

/**
 * Public records as JSON text. The text of each is made once per change; votes, clicks and placement are
 * put in as it is read, at the place where the text has `PLAIN`. User text cannot hold that by itself,
 * for its quotation marks are escaped.
 */
export class RecordStore {
  readonly #texts: string[] = [];
  readonly #cuts: number[] = [];
  readonly #placements = new Map<number, Placement>();

  set(slot: number, text: string): void {
    const cut = text.indexOf(PLAIN);
    if (cut < 0) throw new TypeError(`A record must hold ${PLAIN}`);
    this.#texts[slot] = text;
    this.#cuts[slot] = cut;
  }

  delete(slot: number): void {
    this.#texts[slot] = "";
  }

  /** The text as it was set. */
  plain(slot: number): string {
    return this.#texts[slot]!;
  }

  /** Forgets every placement. */
  clearPlacements(): void {
    this.#placements.clear();
  }

  place(slot: number, placement: Placement): void {
    this.#placements.set(slot, placement);
  }

  /** Appends the text with its counts and placement, in pieces: joining a page's pieces copies it once. */
  append(parts: string[], slot: number, votes: number, clicks: number): void {
    const text = this.#texts[slot]!;
    const cut = this.#cuts[slot]!;
    const placement = this.#placements.get(slot);
    parts.push(
      text.slice(0, cut),
      placement === undefined
        ? `"votes":${votes},"clicks":${clicks}${UNPLACED}`
        : volatile({ votes, clicks, ...placement }),
      text.slice(cut + PLAIN.length),
    );
  }
}

/** Fields and their order are those of `toPublicListing`. */
function volatile({ votes, clicks, sponsored, promotion, gem }: Volatile): string {
  return JSON.stringify({
    votes,
    clicks,
    promoted: promotion !== null,
    sponsored,
    placement: sponsored ? "front-row" : null,
    promotion: promotion && {
      tierId: promotion.tierId,
      name: promotion.name,
      endsAt: new Date(promotion.endsAt).toISOString(),
    },
    gem: gem && { note: gem.note, since: new Date(gem.since).toISOString() },
  }).slice(1, -1);
}

interface Volatile extends Placement {
  votes: number;
  clicks: number;
}

const UNPLACED = PLAIN.slice(PLAIN.indexOf(`,"promoted"`));
