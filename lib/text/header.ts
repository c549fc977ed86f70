/**
 * A header value as the client meant it. Headers arrive with one character per byte (Latin-1), but
 * most clients send UTF-8. So valid UTF-8 is decoded, and anything else stays as it is.
 */
export function decodeHeaderText(value: string): string {
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}
