/** The most words of a query that count. */
const MAX_WORDS = 16;

/** Scripts written without spaces: each character is indexed as a word, and a query is a phrase of them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
// deno-lint-ignore no-control-regex
const BEYOND_LATIN = /[^\x00-\u024f]/;

/** Puts spaces around the characters of scripts that are written without them. */
export function spaceOut(text: string): string {
  return BEYOND_LATIN.test(text) ? text.replace(UNSPACED, " $& ") : text;
}

/**
 * The words of a query: runs of letters, digits and marks with at least one letter or digit, in lower
 * case, each once. Punctuation and emoji alone give none. What is left cannot be FTS5 syntax.
 */
export function queryWords(q: string): string[] {
  const runs = q.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
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
