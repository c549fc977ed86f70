const LATIN1 = /^[\x20-\xFF]*$/;
const HIGH = /[\x80-\xFF]/;
const UNSAFE_IN_HEADER = /[^\x20-\x7E]+/g;

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

/** Text made safe as (part of) a response header value: printable ASCII, the rest percent-encoded UTF-8. */
export function headerValue(text: string): string {
  return text.toWellFormed().replace(UNSAFE_IN_HEADER, encodeURIComponent).trim();
}
