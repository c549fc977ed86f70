import type { Bytes, Coded } from "../http/respond.ts";
import type { Records } from "./record_store.ts";

const encoder = new TextEncoder();
const COMMA = ",".charCodeAt(0);

/**
 * The body of a page of records between `head` and `tail`, which are ASCII: a string, unless it has characters beyond
 * Latin-1. With one of them a long string takes Deno ten times as long to code, so such a page is coded by record.
 */
export function pageBody(head: string, records: Records, tail: string): string | Coded {
  const { texts, isWide } = records;
  const pieces = texts.slice();
  pieces[0] = head + (pieces[0] ?? "");
  pieces[pieces.length - 1] += tail;
  // One join: a page is the most that a request leaves to be collected.
  if (!isWide) return pieces.join(",");
  const commas = Math.max(0, texts.length - 1);
  return new WidePage(pieces, head.length + records.length + commas + tail.length);
}

/** Where pages are coded, one at a time: a buffer of its own for each costs more than the coding. */
let scratch: Bytes = new Uint8Array(1 << 16);

/** A page of which some records have characters beyond Latin-1. */
class WidePage implements Coded {
  readonly #pieces: string[];
  readonly length: number;

  constructor(pieces: string[], length: number) {
    this.#pieces = pieces;
    this.length = length;
  }

  utf8(): Bytes {
    // A UTF-16 unit takes three bytes at most.
    if (scratch.length < 3 * this.length) scratch = new Uint8Array(3 * this.length);
    let end = 0;
    for (const piece of this.#pieces) {
      if (end > 0) scratch[end++] = COMMA;
      end += encoder.encodeInto(piece, scratch.subarray(end)).written;
    }
    return scratch.subarray(0, end);
  }
}
