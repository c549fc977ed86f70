const LATIN1 = /^[\x20-\xFF]*$/;
const HIGH = /[\x80-\xFF]/;

/**
 * The text a client meant by a header value. Headers arrive as one character a byte (Latin-1), while most
 * clients write UTF-8; so bytes that are valid UTF-8 are read as such, and anything else stays as it came.
 */
export function decodeHeaderText(value: string): string {
  if (!HIGH.test(value) || !LATIN1.test(value)) return value;
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return value;
  }
}
