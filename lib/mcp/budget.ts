/** The most tokens that one result holds, text and structured content together. */
export const RESULT_TOKENS = 8_000;

/** What `estimateTokens` may add up to in a result: the rest is for names, URLs and what frames it. */
const CONTENT_TOKENS = 6_500;

/**
 * How many tokens a text costs, from above: byte-pair vocabularies take about one token for three ASCII
 * characters, one and a half for a common CJK character, one a byte for rare ones.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let i = 0; i < text.length; i++) tokens += unitTokens(text.charCodeAt(i));
  return Math.ceil(tokens);
}

/** The start of a text that costs at most `tokens`; a text that fits is returned as it is. */
export function clip(text: string, tokens: number): { text: string; clipped: boolean } {
  let left = tokens;
  for (let i = 0; i < text.length; i++) {
    left -= unitTokens(text.charCodeAt(i));
    if (left < 0) return { text: wholeCharacters(text.slice(0, i)), clipped: true };
  }
  return { text, clipped: false };
}

/**
 * How many entries of a list fit in a result, at least one: hostile text can cost ten times what people write.
 * `costs` holds what each entry costs in every form in which it is sent.
 */
export function entriesThatFit(costs: number[], budget = CONTENT_TOKENS): number {
  let left = budget;
  const over = costs.findIndex((cost) => (left -= cost) < 0);
  return over === -1 ? costs.length : Math.max(1, over);
}

function unitTokens(unit: number): number {
  if (unit < 0x80) {
    const isWord = (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) ||
      unit === 0x20;
    return isWord ? 0.3 : 0.8;
  }
  if (unit < 0x800) return 1;
  const isCommon = (unit >= 0x3040 && unit <= 0x30ff) || (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7af);
  if (isCommon) return 1.5;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}

/** Drops half of a character at the end. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
