/** The maximum number of tokens in one result, text and structured content together. */
export const RESULT_TOKENS = 8_000;

/**
 * The tokens that a tool may spend on its content, as data and text together; the rest is for the
 * frame around it.
 */
export const CONTENT_TOKENS = RESULT_TOKENS - 500;

/**
 * The letters that follow each letter in 95 of 100 pairs of English prose and code. Other pairs are
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

/**
 * The cost of random units in each range (rounded up, in the more expensive of two vocabularies),
 * by the first unit after the range.
 */
const SCRIPTS: readonly (readonly [end: number, tokens: number])[] = [
  [0xa0, 2], // controls
  [0xc0, 1.05], // Latin symbols
  [0xdf, 1.5], // Latin capitals
  [0x100, 1.1], // Latin lowercase
  [0x180, 1.5],
  [0x3b1, 2],
  [0x3ca, 1.15], // Greek lowercase
  [0x410, 2],
  [0x430, 1.3], // Cyrillic capitals
  [0x450, 0.95], // Cyrillic lowercase
  [0x5d0, 2],
  [0x5eb, 1.45], // Hebrew
  [0x621, 2],
  [0x64b, 1.25], // Arabic
  [0x800, 2],
  [0x3040, 3],
  [0x3100, 2.4], // kana
  [0x4e00, 3],
  [0xa000, 2.4], // ideographs
  [0xac00, 3],
  [0xd7a4, 2.7], // Hangul
  [0xd800, 3],
  [0xe000, 2], // surrogates
  [0x10000, 3],
];

/** The tokens of each UTF-16 unit beyond ASCII. */
const UNIT_TOKENS = new Float32Array(0x10000);
for (const [i, [end, tokens]] of SCRIPTS.entries()) {
  UNIT_TOKENS.fill(tokens, SCRIPTS[i - 1]?.[0] ?? 0, end);
}

/** The vocabularies have few longer words. */
const WORD_MAX = 15;

/** The common pairs of lowercase letters, by first and second letter. */
const COMMON_PAIRS = new Uint8Array(32 * 32);
for (const [first, followers] of Object.entries(FOLLOWERS)) {
  for (const second of followers) {
    COMMON_PAIRS[pairIndex(first.charCodeAt(0), second.charCodeAt(0))] = 1;
  }
}

/**
 * An upper estimate of a text's tokens in byte-pair vocabularies of 100,000 tokens or more. Words
 * cost less than random letters, which cost less than symbols and digits; beyond ASCII, the cost
 * depends on the script.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let letters = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    letters = isLetter(unit) ? letters + 1 : 0;
    tokens += unit < 0x80 ? asciiTokens(text, i, letters) : UNIT_TOKENS[unit]!;
  }
  return Math.ceil(tokens);
}

/** The tokens of a value or text in a result, which is sent as JSON. */
export function jsonTokens(value: unknown): number {
  return estimateTokens(JSON.stringify(value));
}

/**
 * The longest prefix of a text with a `cost` of up to `tokens`; the whole text if it fits. `cost`
 * must grow with the length of the text.
 */
export function clip(
  text: string,
  tokens: number,
  cost: (start: string) => number,
): { text: string; clipped: boolean } {
  if (cost(text) <= tokens) return { text, clipped: false };
  let [fits, over] = [0, text.length];
  while (over - fits > 1) {
    const at = (fits + over) >> 1;
    if (cost(text.slice(0, at)) <= tokens) fits = at;
    else over = at;
  }
  return { text: wholeCharacters(text.slice(0, fits)), clipped: true };
}

/**
 * The first entries of a list that fit in a result, at least one. Hostile text can cost ten times
 * as much as ordinary text. `cost` is an entry's tokens in all forms that are sent.
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

/**
 * The tokens of an ASCII character, the last of `letters` letters in a row. It may share a token
 * with its neighbors.
 */
function asciiTokens(text: string, index: number, letters: number): number {
  const unit = text.charCodeAt(index);
  const before = index === 0 ? 0 : text.charCodeAt(index - 1);
  if (unit === 0x20) return isDigit(text.charCodeAt(index + 1)) ? 1 : 0.3;
  if (isDigit(unit)) return isDigit(before) ? 0.6 : 1;
  if (letters === 0) return unit === 0x0a || isDigit(before) ? 1 : 0.8;
  if (letters === 1) return isDigit(before) || !isLetter(text.charCodeAt(index + 1)) ? 1 : 0.7;
  const isCommon = letters <= WORD_MAX && !isUpper(unit) && (letters === 2 || !isUpper(before)) &&
    COMMON_PAIRS[pairIndex(before | 0x20, unit)] === 1;
  return isCommon ? 0.25 : 0.85;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
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

/** Drops half a character (a lone high surrogate) at the end. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
