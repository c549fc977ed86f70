import { escapeJsonSymbols, isBeyondLatin } from "../text/escape.ts";
import { Bitmap } from "./bitmap.ts";
import { murmur3, SECOND_SEED } from "./murmur3.ts";
import type { Placement } from "./placements.ts";

/** The records of a page. */
export interface Records {
  /** JSON texts. */
  texts: string[];
  /**
   * One number for each text. It changes whenever the text does, and is the same in every process.
   */
  digests: number[];
  /** The length of all texts together, in UTF-16 units. Who changes a text must change this too. */
  length: number;
  /** Whether any of the texts has a character beyond Latin-1. */
  isWide: boolean;
}

/**
 * Public records as JSON texts, one string each, so that a page only copies strings. Votes, clicks
 * and placement stand in the middle of the text; they are put in anew when a changed record is next
 * read.
 */
export class RecordStore {
  readonly #counts: (slot: number) => Counts;
  readonly #texts: string[] = [];
  /**
   * For each record, how many characters stand before and after the part that changes without an
   * edit.
   */
  readonly #heads: number[] = [];
  readonly #tails: number[] = [];
  readonly #digests: number[] = [];
  /** Slots whose record has a character beyond Latin-1. */
  readonly #wide = new Bitmap();
  readonly #stale = new Bitmap();
  readonly #placements = new Map<number, Placement>();

  constructor(counts: (slot: number) => Counts) {
    this.#counts = counts;
  }

  /**
   * Takes a record with any counts and no placement. The right ones are put in when it is first
   * read.
   */
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

  /** Notes that the counts of a record changed. */
  expire(slot: number): void {
    this.#stale.add(slot);
  }

  /** Sets what was paid or picked for a record. */
  place(slot: number, placement: Placement | null): void {
    if (placement === null) this.#placements.delete(slot);
    else this.#placements.set(slot, placement);
    this.#stale.add(slot);
  }

  /** The record at a slot. */
  text(slot: number): string {
    if (this.#stale.has(slot)) this.#refresh(slot);
    return this.#texts[slot]!;
  }

  /**
   * The records of a page. Each loop reads one thing of all records and does nothing else, so the
   * processor fetches what is in no cache for many records at once, where a longer loop or the join
   * that follows would wait for one after the other.
   */
  page(slots: readonly number[]): Records {
    for (const slot of slots) if (this.#stale.has(slot)) this.#refresh(slot);
    const texts: string[] = [];
    for (const slot of slots) texts.push(this.#texts[slot]!);
    const digests: number[] = [];
    for (const slot of slots) digests.push(this.#digests[slot]!);
    let length = 0;
    for (const text of texts) length += text.length;
    return { texts, digests, length, isWide: slots.some((slot) => this.#wide.has(slot)) };
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
    // Joined, because V8 keeps a string that was added up in pieces. If the text is right already,
    // as after a start, it stays.
    const whole = text.startsWith(changed, head) && tail === head + changed.length
      ? text
      : [text.slice(0, head), changed, text.slice(tail)].join("");
    this.#texts[slot] = whole;
    this.#digests[slot] = digest(whole);
    if (isBeyondLatin(whole)) this.#wide.add(slot);
    else this.#wide.delete(slot);
  }
}

const encoder = new TextEncoder();
/** What texts are encoded into, one at a time: as words, and as bytes. */
let words = new Uint32Array(1 << 11);
let bytes = new Uint8Array(words.buffer);

/** 52 bits of a text, which is as many as fit into a number: MurmurHash3 of its UTF-8, twice. */
export function digest(text: string): number {
  // A UTF-16 unit takes three bytes at most.
  if (bytes.length < 3 * text.length) {
    words = new Uint32Array(text.length);
    bytes = new Uint8Array(words.buffer);
  }
  const { written } = encoder.encodeInto(text, bytes);
  bytes.fill(0, written, (written + 3) & ~3);
  const high = murmur3(words, written) & 0xfffff;
  return high * 2 ** 32 + murmur3(words, written, SECOND_SEED);
}

interface Counts {
  votes: number;
  clicks: number;
}

/**
 * The part of a record that changes without an edit. The fields and their order are those of
 * `toPublicListing`.
 */
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

/**
 * How the part that changes without an edit begins, and how it ends if nothing was paid or picked.
 */
const COUNTS = '"votes":';
const UNPLACED = volatile({ votes: 0, clicks: 0, sponsored: false, promotion: null, gem: null })
  .slice('"votes":0,"clicks":0'.length);
