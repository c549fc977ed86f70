/**
 * The text that a client meant by a header value. Headers arrive with one character for each byte
 * (Latin-1), while most clients write UTF-8. So a value whose bytes are valid UTF-8 is decoded as
 * that; any other stays as it came.
 */
export function decodeHeaderText(value: string): string {
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}
