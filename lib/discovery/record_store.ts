import { sha1 } from "@noble/hashes/legacy.js";
import { escapeJsonSymbols, isBeyondLatin } from "../text/escape.ts";
import { Bitmap } from "./bitmap.ts";
import type { Placement } from "./placements.ts";

/** The records of a page. */
export interface Records {
  /** JSON texts. */
  texts: string[];
  /** A number each, that changes whenever its text does and is the same in every process. */
  digests: number[];
  /** UTF-16 units of all texts together: whoever changes a text changes this too. */
  length: number;
  /** Whether a character of them is beyond Latin-1. */
  isWide: boolean;
}

/**
 * Public records as JSON text, one string each, so that a page copies one string a record. Votes, clicks and
 * placement stand in the middle of it; what changed of them is put in when the record is next read.
 */
export class RecordStore {
  readonly #counts: (slot: number) => Counts;
  readonly #texts: string[] = [];
  /** Characters before and after what changes without an edit. */
  readonly #heads: number[] = [];
  readonly #tails: number[] = [];
  /** 0 until a page asks for it. */
  readonly #digests: number[] = [];
  /** Where a character is beyond Latin-1. */
  readonly #wide = new Bitmap();
  readonly #stale = new Bitmap();
  readonly #placements = new Map<number, Placement>();

  constructor(counts: (slot: number) => Counts) {
    this.#counts = counts;
  }

  /** Takes a record with any counts and no placement; what it needs besides is made when it is first read. */
  set(slot: number, record: string): void {
    const text = escapeJsonSymbols(record);
    // User text can hold neither mark by itself, for its quotation marks are escaped.
    const head = text.indexOf(COUNTS);
    const tail = text.indexOf(UNPLACED, head);
    if (head < 0 || tail < 0) throw new TypeError(`A record must hold ${COUNTS} and ${UNPLACED}`);
    this.#texts[slot] = text;
    this.#heads[slot] = head;
    this.#tails[slot] = text.length - tail - UNPLACED.length;
    this.#digests[slot] = 0;
    this.#stale.add(slot);
  }

  delete(slot: number): void {
    this.#texts[slot] = "";
    this.#stale.delete(slot);
  }

  /** Says that the counts of a record changed. */
  expire(slot: number): void {
    this.#stale.add(slot);
  }

  /** Forgets every placement. */
  clearPlacements(): void {
    for (const slot of this.#placements.keys()) this.#stale.add(slot);
    this.#placements.clear();
  }

  place(slot: number, placement: Placement): void {
    this.#placements.set(slot, placement);
    this.#stale.add(slot);
  }

  /** The record at a slot. */
  text(slot: number): string {
    if (this.#stale.has(slot)) this.#refresh(slot);
    return this.#texts[slot]!;
  }

  /** The records of a page. */
  page(slots: readonly number[]): Records {
    for (const slot of slots) if (this.#stale.has(slot)) this.#refresh(slot);
    let length = 0;
    // Records that are in no cache are fetched all at once by a loop that reads little of each; a join waits for each.
    for (const slot of slots) {
      const text = this.#texts[slot]!;
      length += text.length;
      if (this.#digests[slot] === 0) this.#digests[slot] = digest(text);
    }
    return {
      texts: slots.map((slot) => this.#texts[slot]!),
      digests: slots.map((slot) => this.#digests[slot]!),
      length,
      isWide: slots.some((slot) => this.#wide.has(slot)),
    };
  }

  #refresh(slot: number): void {
    this.#stale.delete(slot);
    const text = this.#texts[slot]!;
    const head = this.#heads[slot]!;
    const tail = text.length - this.#tails[slot]!;
    const placement = this.#placements.get(slot);
    const { votes, clicks } = this.#counts(slot);
    const changed = placement === undefined
      ? `${COUNTS}${votes},"clicks":${clicks}${UNPLACED}`
      : volatile({ votes, clicks, ...placement });
    // Joined, for a text that is added up stays in pieces; the one of a start is right, and stays.
    const whole = text.startsWith(changed, head) && tail === head + changed.length
      ? text
      : [text.slice(0, head), changed, text.slice(tail)].join("");
    this.#texts[slot] = whole;
    this.#digests[slot] = 0;
    if (isBeyondLatin(whole)) this.#wide.add(slot);
    else this.#wide.delete(slot);
  }
}

const encoder = new TextEncoder();

/** 52 bits of the SHA-1 of a text: as many as a number holds. (`node:crypto` makes an object each, outside of the heap.) */
export function digest(text: string): number {
  return parseInt(sha1(encoder.encode(text)).toHex().slice(0, 13), 16);
}

interface Counts {
  votes: number;
  clicks: number;
}

/** Fields and their order are those of `toPublicListing`. */
function volatile({ votes, clicks, sponsored, promotion, gem }: Volatile): string {
  const json = JSON.stringify({
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
  });
  return escapeJsonSymbols(json.slice(1, -1));
}

type Volatile = Placement & Counts;

/** Where what changes without an edit begins, and how it ends where nothing is paid or picked. */
const COUNTS = '"votes":';
const UNPLACED = volatile({ votes: 0, clicks: 0, sponsored: false, promotion: null, gem: null })
  .slice('"votes":0,"clicks":0'.length);
