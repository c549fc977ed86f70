import { MINUTE_MS } from "../clock.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const COUNTER_SPAN = 32 ** 4;
let counter = 0;
const processPart = encode(crypto.getRandomValues(new Uint32Array(1))[0]!, 7);

function encode(value: number, length: number): string {
  let text = "";
  for (let i = 0; i < length; i++) {
    text = ALPHABET[value % 32] + text;
    value = Math.floor(value / 32);
  }
  return text;
}

/**
 * An id that sorts by time and is unique across processes: 10 characters for milliseconds since the
 * epoch, 4 for this process's counter and 7 random ones chosen at process start. The counter never
 * resets, so a clock that steps back repeats no id.
 */
export function createLogId(now: number): string {
  counter = (counter + 1) % COUNTER_SPAN;
  return encode(now, 10) + encode(counter, 4) + processPart;
}

/**
 * How long (ms) after the time in its id an entry may be committed: a write begins before it lands,
 * and clocks differ.
 */
export const LOG_LATE_MS = 2 * MINUTE_MS;

/** The length of an id, in characters. */
export const LOG_ID_LENGTH = 21;

/** The smallest id for a time (ms), the start of id ranges. */
export function logIdAt(ms: number): string {
  return encode(Math.max(0, ms), 10);
}

/** The time (ms) in an id. */
export function logIdTime(id: string): number {
  let ms = 0;
  for (const letter of id.slice(0, 10)) ms = ms * 32 + ALPHABET.indexOf(letter);
  return ms;
}

/** True if this process made the id. */
export function isOwnLogId(id: string): boolean {
  return id.endsWith(processPart);
}
