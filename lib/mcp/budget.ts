/** The most tokens that one result holds, text and structured content together. */
export const RESULT_TOKENS = 8_000;

/**
 * The tokens that a tool may spend on its content, as data and as text together; the rest is for
 * the frame around it.
 */
export const CONTENT_TOKENS = RESULT_TOKENS - 500;

/**
 * The letters that follow a letter in 95 of 100 pairs of English prose and code. Other pairs are
 * mostly in names and random text.
 */
const FOLLOWERS: Record<string, string> = {
  a: "bcdgilmnprstuvy",
  b: "aeijloruy",
  c: "aehiklortu",
  d: "adeiorsu",
  e: "abcdefgilmnpqrstvwxy",
  f: "aefiortu",
  g: "ehinru",
  h: "aeiort",
  i: "abcdefglmnoprstv",
  j: "es",
  k: "ei",
  l: "adeilostuy",
  m: "abeimops",
  n: "acdefgilopstuvy",
  o: "abcdfgklmnoprstuvw",
  p: "aeilmoprtu",
  q: "u",
  r: "acdegiklmnorstuvy",
  s: "acehiopstu",
  t: "acehiloprstuwy",
  u: "bceilmnprst",
  v: "aei",
  w: "aehinos",
  x: "apt",
  y: "op",
};

/** Which pairs of lower-case letters are common, by the first and the second letter. */
const COMMON_PAIRS = new Uint8Array(32 * 32);
for (const [first, followers] of Object.entries(FOLLOWERS)) {
  for (const second of followers) {
    COMMON_PAIRS[pairIndex(first.charCodeAt(0), second.charCodeAt(0))] = 1;
  }
}

/**
 * An upper estimate of a text's tokens in byte-pair vocabularies of 100,000 tokens and more. Words
 * cost less than random letters, which cost less than signs and digits; beyond ASCII it depends on
 * the script.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let i = 0; i < text.length; i++) tokens += unitTokens(text, i);
  return Math.ceil(tokens);
}

/** The tokens that a value or a text costs in a result, which is sent as JSON. */
export function jsonTokens(value: unknown): number {
  return estimateTokens(JSON.stringify(value));
}

/**
 * The longest start of a text whose `cost` in tokens is at most `tokens`; the text itself if it
 * fits. `cost` must rise with the length of the text.
 */
export function clip(
  text: string,
  tokens: number,
  cost: (start: string) => number,
): { text: string; clipped: boolean } {
  if (cost(text) <= tokens) return { text, clipped: false };
  let [fits, over] = [0, text.length];
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (cost(text.slice(0, middle)) <= tokens) fits = middle;
    else over = middle;
  }
  return { text: wholeCharacters(text.slice(0, fits)), clipped: true };
}

/**
 * The first entries of a list, as many as fit in a result, at least one. Hostile text can cost ten
 * times as much as ordinary text. `cost` gives the tokens of an entry in all forms in which it is
 * sent.
 */
export function entriesThatFit<T>(
  entries: readonly T[],
  cost: (entry: T) => number,
  budget = CONTENT_TOKENS,
): T[] {
  let left = budget;
  const over = entries.findIndex((entry) => (left -= cost(entry)) < 0);
  return entries.slice(0, over === -1 ? entries.length : Math.max(1, over));
}

/** The tokens of the UTF-16 unit at an index. For a letter they depend on the letter before. */
function unitTokens(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) {
    if (unit === 0x20) return 0.3;
    if (!isLetter(unit)) return 0.8;
    const before = index === 0 ? 0 : text.charCodeAt(index - 1);
    if (!isLetter(before)) return 0.7;
    const isCapitalized = isUpper(before) && !isLetter(text.charCodeAt(index - 2));
    if (isUpper(unit) !== isUpper(before) && !isCapitalized) return 0.85;
    return COMMON_PAIRS[pairIndex(before | 0x20, unit | 0x20)] === 1 ? 0.25 : 0.85;
  }
  if (unit < 0x100 || (unit >= 0x384 && unit < 0x3cf) || (unit >= 0x400 && unit < 0x460)) return 1;
  if (unit < 0x180 || (unit >= 0x590 && unit < 0x700)) return 1.5;
  if (unit < 0x800) return 2;
  const isCommon = (unit >= 0x3040 && unit <= 0x30ff) || (unit >= 0x4e00 && unit <= 0x9fff);
  if (isCommon) return 2.4;
  if (unit >= 0xac00 && unit <= 0xd7a3) return 2.7;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}

function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a && unit < 0x80;
}

function isUpper(unit: number): boolean {
  return unit <= 0x5a;
}

function pairIndex(first: number, second: number): number {
  return (first & 31) * 32 + (second & 31);
}

/** Drops half of a character (a lone high surrogate) at the end. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
