/** The most words of a query that count; each character of a script without spaces counts as two. */
const MAX_WORDS = 16;

/**
 * Scripts that are written without spaces. Each of their characters is indexed as a word, and a
 * query is a phrase of them.
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
// deno-lint-ignore no-control-regex
const BEYOND_LATIN = /[^\x00-\u024f]/;

/** Characters that are neither ASCII nor the punctuation of prose. */
// deno-lint-ignore no-control-regex
const UNFOLDED = /[^\x00-\x7f\u2010-\u205e]/;
/**
 * Accents and other marks that people often leave out: of Latin, Greek and Cyrillic, Hebrew,
 * Arabic.
 */
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u0655\u0670]/g;
/** Letters that Unicode does not decompose, and what people type for them on other keyboards. */
const PLAIN: Record<string, string> = { đ: "d", ø: "o", ł: "l", æ: "ae", œ: "oe" };

/** Languages whose signs tell them apart, and the words that tags and addresses have for them. */
const SIGNED = /\b(?:c\+\+|[cf]#)/gi;
const WORDS: Record<string, string> = { "c++": "cpp", "c#": "csharp", "f#": "fsharp" };

const SIGNED_WORDS = new Set(Object.values(WORDS));

/** Whether a word is the name of a language that a sign tells apart: no other language is meant. */
export function isSigned(word: string): boolean {
  return SIGNED_WORDS.has(word);
}

/**
 * The form in which texts and queries are compared: compatible spellings (full width, ligatures,
 * mathematical letters) become one, marks are dropped, letters are in lower case. They pass through
 * upper case, so that "ß" equals "SS" and "ı" equals "I".
 */
function searchForm(given: string): string {
  const text = given.replace(SIGNED, (name) => WORDS[name.toLowerCase()]!);
  if (!UNFOLDED.test(text)) return text.toLowerCase();
  // No text of any language becomes three times as long, but some signs become sentences.
  return text.normalize("NFKD").slice(0, 3 * text.length).replace(MARKS, "").normalize("NFC")
    .toLowerCase().toUpperCase().toLowerCase().replace(/[đøłæœ]/g, (letter) => PLAIN[letter]!);
}

/** Puts spaces around the characters of scripts that are written without them. */
function spaceOut(text: string): string {
  return BEYOND_LATIN.test(text) ? text.replace(UNSPACED, " $& ") : text;
}

/** A word of a text, or a character of a script without spaces once these are spaced out. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * How often one word of a text is indexed. Prose of 2,000 characters has the most frequent one of its
 * language less often, even where each character is a word: "的" some 80 times, the Thai "า" 140 to
 * 160.
 */
const MAX_REPEATS = 200;

/**
 * A text as it is indexed: as `spaceOut`, but what one word has beyond `MAX_REPEATS` is left out.
 * SQLite compares each word of a phrase with each place where a text has it, and counts all places
 * to rank a text, so 2,000 of one character took a millisecond of every search for it. A character
 * may stand for four words.
 */
export function indexedForm(given: string): string {
  const text = spaceOut(searchForm(given));
  // Else its words are those of its own letters, too few to matter.
  if (text.length <= given.length) return text;
  const counts = new Map<string, number>();
  return text.replace(WORD, (word) => {
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    return count > MAX_REPEATS ? "" : word;
  });
}

/** The start of an address, which may be in a text and not in a query, or the other way round. */
const ADDRESS_START = /https?:\/\/|\bwww\./g;

/**
 * The words of a query, each once, in the form of `searchForm`: runs of letters, digits and marks
 * with at least one letter or digit. An address gives the words of its host and path. Punctuation
 * and emoji give none. What is left cannot be FTS5 syntax.
 */
export function queryWords(q: string): string[] {
  const runs = searchForm(q).replace(ADDRESS_START, " ").match(WORD) ?? [];
  return firstWords(new Set(runs.filter((run) => /[\p{L}\p{N}]/u.test(run))));
}

/**
 * The first runs of a query, as far as their words count: SQLite compares each word of a phrase with
 * each place where a text has it, and a text made for it has 200 places for each of ten characters.
 */
function firstWords(runs: Iterable<string>): string[] {
  const first: string[] = [];
  let left = MAX_WORDS;
  for (const run of runs) {
    if (left === 0) break;
    const words = wordsOf(run);
    const each = words.length > 1 ? 2 : 1;
    const kept = words.slice(0, Math.ceil(left / each));
    first.push(kept.join(""));
    left = Math.max(0, left - each * kept.length);
  }
  return first;
}

/** The words that a run of letters is indexed as. */
function wordsOf(run: string): string[] {
  return spaceOut(run).trim().split(/\s+/);
}

/** As how many words the runs of a query are looked up. */
export function countWords(runs: readonly string[]): number {
  return runs.reduce((count, run) => count + wordsOf(run).length, 0);
}

/**
 * The FTS5 expression that matches all of the words, each as a prefix. They are quoted, so that AND,
 * OR, NOT and NEAR are words too. A word that another one begins with is left out: what has the
 * longer one has it too, and each may stand for a hundred thousand words. No AND stands between
 * them: with it nothing would match a word of which FTS5 reads no letter, such as "ᦰ".
 */
export function allOf(words: readonly string[]): string {
  return words
    .filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
    .map((word) => `"${spaceOut(word).trim()}" *`)
    .join(" ");
}

/** The FTS5 expression that matches any of the words, each as a whole. */
export function anyOf(words: readonly string[]): string {
  return `(${words.map((word) => `"${word}"`).join(" OR ")})`;
}
