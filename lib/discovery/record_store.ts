import { hash } from "node:crypto";
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
  readonly #digests: number[] = [];
  readonly #placements = new Map<number, Placement>();

  set(slot: number, text: string): void {
    const cut = text.indexOf(PLAIN);
    if (cut < 0) throw new TypeError(`A record must hold ${PLAIN}`);
    this.#texts[slot] = text;
    this.#cuts[slot] = cut;
    this.#digests[slot] = digest(text);
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

  /**
   * Appends what the text with its counts and placement can be told by. A page takes these of all its records before
   * their texts: reads that depend on nothing wait for memory side by side, texts that are copied one after another.
   */
  appendFacts(facts: number[], slot: number, { votes, clicks }: Counts): void {
    const placement = this.#placements.get(slot);
    facts.push(
      this.#digests[slot]!,
      this.#texts[slot]!.length,
      votes,
      clicks,
      placement === undefined ? 0 : digest(volatile({ votes, clicks, ...placement })),
    );
  }

  /** Appends the text with its counts and placement, in pieces: joining a page's pieces copies it once. */
  append(parts: string[], slot: number, { votes, clicks }: Counts): void {
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

/** 52 bits of the SHA-1 of a text: as many as a number holds. */
export function digest(text: string): number {
  return parseInt(hash("sha1", text, "hex").slice(0, 13), 16);
}

interface Counts {
  votes: number;
  clicks: number;
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

type Volatile = Placement & Counts;

const UNPLACED = PLAIN.slice(PLAIN.indexOf(`,"promoted"`));
