import type { Bytes } from "../http/respond.ts";
import type { Records } from "./record_store.ts";

const encoder = new TextEncoder();
const COMMA = ",".charCodeAt(0);

/**
 * The body of a page: `head`, the records, `tail` (`head` and `tail` are ASCII). It is a string
 * unless a record has characters beyond Latin-1. A single one of these makes Deno take ten times as
 * long to encode the whole string, so such a page is encoded record by record.
 */
export function pageBody(head: string, records: Records, tail: string): string | Bytes {
  const { texts, isWide } = records;
  const pieces = texts.slice();
  pieces[0] = head + (pieces[0] ?? "");
  pieces[pieces.length - 1] += tail;
  // Joined once, since the page is the largest piece of garbage that a request leaves.
  if (!isWide) return pieces.join(",");
  const commas = Math.max(0, texts.length - 1);
  return utf8(pieces, head.length + records.length + commas + tail.length);
}

/**
 * The buffer that pages are encoded in, one at a time. A buffer for each would cost more than
 * encoding.
 */
let scratch: Bytes = new Uint8Array(1 << 16);

/** The bytes of texts of `length` UTF-16 units with commas between them. */
function utf8(pieces: string[], length: number): Bytes {
  // A UTF-16 unit takes three bytes at most.
  if (scratch.length < 3 * length) scratch = new Uint8Array(3 * length);
  let end = 0;
  for (const piece of pieces) {
    if (end > 0) scratch[end++] = COMMA;
    end += encoder.encodeInto(piece, scratch.subarray(end)).written;
  }
  return scratch.slice(0, end);
}
