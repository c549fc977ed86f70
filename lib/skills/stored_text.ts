/** A content in KV: the text itself, or where that is too large for a value, as `packText` makes it. */
export type StoredText = string | Uint8Array<ArrayBuffer>;

/** The longest text that is stored as it is, in UTF-16 units. A value in KV has at most 64 KiB. */
const PLAIN_MAX = 32_000;

/**
 * Makes a content fit in one value of KV. 20,000 characters can be 80,000 bytes in UTF-8 and UTF-16;
 * at three bytes for each character they are 60,000.
 */
export function packText(text: string): StoredText {
  if (text.length <= PLAIN_MAX) return text;
  const points = [...text].map((character) => character.codePointAt(0)!);
  const bytes = new Uint8Array(3 * points.length);
  points.forEach((point, i) => bytes.set([point >> 16, point >> 8 & 255, point & 255], 3 * i));
  return bytes;
}

/** The content that `packText` was given. */
export function unpackText(stored: StoredText): string {
  if (typeof stored === "string") return stored;
  let text = "";
  for (let i = 0; i < stored.length; i += 3) {
    text += String.fromCodePoint(stored[i]! << 16 | stored[i + 1]! << 8 | stored[i + 2]!);
  }
  return text;
}
