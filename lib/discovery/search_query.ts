/** The most words of a query that count. */
const MAX_WORDS = 16;

/** Scripts written without spaces: each character is indexed as a word, and a query is a phrase of them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
// deno-lint-ignore no-control-regex
const BEYOND_LATIN = /[^\x00-\u024f]/;

/** What is neither ASCII nor the punctuation of prose. */
// deno-lint-ignore no-control-regex
const UNFOLDED = /[^\x00-\x7f\u2010-\u205e]/;
/** Accents and other marks that are left out as often as not: of Latin, Greek and Cyrillic, Hebrew, Arabic. */
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u0655\u0670]/g;
/** Letters that no decomposition takes apart, and what stands for them on other keyboards. */
const PLAIN: Record<string, string> = { đ: "d", ø: "o", ł: "l", æ: "ae", œ: "oe" };

/**
 * The form in which texts and queries meet: one for each compatible spelling (full width, ligatures, mathematical
 * letters), without marks, in lower case. Upper case comes between, so that "ß" meets "SS" and "ı" meets "I".
 */
export function searchForm(text: string): string {
  if (!UNFOLDED.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(MARKS, "").normalize("NFC")
    .toLowerCase().toUpperCase().toLowerCase().replace(/[đøłæœ]/g, (letter) => PLAIN[letter]!);
}

/** Puts spaces around the characters of scripts that are written without them. */
export function spaceOut(text: string): string {
  return BEYOND_LATIN.test(text) ? text.replace(UNSPACED, " $& ") : text;
}

/** What an address begins with in one place and not in the other. */
const ADDRESS_START = /https?:\/\/|\bwww\./g;

/**
 * The words of a query: runs of letters, digits and marks with at least one letter or digit, in the form of
 * `searchForm`, each once; of an address, those of its host and path. Punctuation and emoji alone give none. What is
 * left cannot be FTS5 syntax.
 */
export function queryWords(q: string): string[] {
  const runs = searchForm(q).replace(ADDRESS_START, " ").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(runs.filter((run) => /[\p{L}\p{N}]/u.test(run)))].slice(0, MAX_WORDS);
}

/** The FTS5 expression for one word as a prefix; quoted, so that AND, OR, NOT and NEAR are words too. */
export function prefixPhrase(word: string): string {
  return `"${spaceOut(word).trim()}" *`;
}

/** The FTS5 expression for any of whole words. */
export function anyOf(words: readonly string[]): string {
  return `(${words.map((word) => `"${word}"`).join(" OR ")})`;
}
