const READABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\n\t]+$/u;
/** Pairs of zero-width characters (space, non-joiner, joiner) that encode bits. */
const BIT_PAIRS = [["\u200B", "\u200C"], ["\u200C", "\u200D"], ["\u200B", "\u200D"]] as const;

/**
 * The text that a run of invisible characters encodes, or null if no known encoding fits. Known
 * encodings: tag characters (ASCII + U+E0000), variation selectors (one per UTF-8 byte, 0 to 255),
 * and two zero-width characters as bits, in either order.
 */
export function decodeHidden(run: string): string | null {
  const points = Array.from(run, (character) => character.codePointAt(0)!);
  return fromTags(points) ?? fromVariationSelectors(points) ?? fromZeroWidthBits(run);
}

function fromTags(points: number[]): string | null {
  const text = points.filter((point) => point >= 0xe0020 && point <= 0xe007e)
    .map((point) => String.fromCharCode(point - 0xe0000)).join("");
  return text === "" ? null : text;
}

function fromVariationSelectors(points: number[]): string | null {
  const bytes = points.map(selectorByte).filter((byte) => byte !== null);
  return bytes.length < 2 ? null : readable(bytes);
}

function selectorByte(point: number): number | null {
  if (point >= 0xfe00 && point <= 0xfe0f) return point - 0xfe00;
  if (point >= 0xe0100 && point <= 0xe01ef) return point - 0xe0100 + 16;
  return null;
}

function fromZeroWidthBits(run: string): string | null {
  for (const [first, second] of BIT_PAIRS) {
    const characters = Array.from(run).filter((one) => one === first || one === second);
    if (characters.length < 8 || characters.length % 8 !== 0) continue;
    for (const set of [second, first]) {
      const bits = characters.map((character) => character === set ? "1" : "0").join("");
      const text = readable(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
      if (text !== null) return text;
    }
  }
  return null;
}

function readable(bytes: number[]): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes));
    return READABLE.test(text) ? text : null;
  } catch {
    return null;
  }
}
