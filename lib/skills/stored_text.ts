/** Content in KV: the text itself or, if too large for a value, the result of `packText`. */
export type StoredText = string | Uint8Array<ArrayBuffer>;

/** The longest text stored as is, in UTF-16 units. A KV value has up to 64 KiB. */
const PLAIN_MAX = 32_000;

/**
 * Makes content fit in one KV value. 20,000 characters can take 80,000 bytes in UTF-8 and UTF-16;
 * at three bytes each they take 60,000.
 */
export function packText(text: string): StoredText {
  if (text.length <= PLAIN_MAX) return text;
  const points = [...text].map((character) => character.codePointAt(0)!);
  const bytes = new Uint8Array(3 * points.length);
  points.forEach((point, i) => bytes.set([point >> 16, point >> 8 & 255, point & 255], 3 * i));
  return bytes;
}

/** The content that was given to `packText`. */
export function unpackText(stored: StoredText): string {
  if (typeof stored === "string") return stored;
  let text = "";
  for (let i = 0; i < stored.length; i += 3) {
    text += String.fromCodePoint(stored[i]! << 16 | stored[i + 1]! << 8 | stored[i + 2]!);
  }
  return text;
}
