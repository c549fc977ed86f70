const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const COUNTER_SPAN = 32 ** 4;
let counter = 0;
/** The time that was encoded last: many ids are of one millisecond. */
let last = { now: NaN, text: "" };
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
 * An id that sorts by time, unique over processes: 10 characters of milliseconds since the epoch, 4 of
 * a counter of this process, 7 drawn by the process at its start. The counter never starts anew, so that a
 * clock that steps back repeats no id.
 */
export function createLogId(now: number): string {
  counter = (counter + 1) % COUNTER_SPAN;
  if (now !== last.now) last = { now, text: encode(now, 10) };
  return last.text + encode(counter, 4) + processPart;
}

/** Characters of an id. */
export const LOG_ID_LENGTH = 21;

/** The first id that a time (ms) can have: the start of a range. */
export function logIdAt(ms: number): string {
  return encode(Math.max(0, ms), 10);
}

/** The time (ms) in an id. */
export function logIdTime(id: string): number {
  let ms = 0;
  for (const letter of id.slice(0, 10)) ms = ms * 32 + ALPHABET.indexOf(letter);
  return ms;
}

/** Whether this process made an id. */
export function isOwnLogId(id: string): boolean {
  return id.endsWith(processPart);
}
