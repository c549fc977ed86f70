import { stemmer } from "stemmer";

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

/** Languages and platforms whose signs tell them apart, and the words for them. */
const SIGNED = /(?<![\p{L}\p{N}])(?:c\+\+|[cf]#|\.net\b)/giu;
const SIGNED_WORDS: Record<string, string> = {
  "c++": "cpp",
  "c#": "csharp",
  "f#": "fsharp",
  ".net": "dotnet",
};

/** Scripts that are written without spaces. Their characters are indexed alone and in pairs. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
// deno-lint-ignore no-control-regex
const BEYOND_LATIN = /[^\x00-\u024f]/;

/** Words, parts of a name that signs join ("next.js", "e-mail", "don't"), or one emoji. */
const CHUNK = /[\p{L}\p{N}\p{M}]+(?:[.\-_'’/@][\p{L}\p{N}\p{M}]+)*|\p{Extended_Pictographic}/gu;
const JOINTS = /[.\-_'’/@]/;
const ALL_JOINTS = /[.\-_'’/@]/g;
/** Where a name has two words without a sign between them. */
const CAMEL = /([a-z])([A-Z][a-z])/g;
const DIGITS = /(?<=[a-z]{3})([a-z])(\d)/gi;
/** The most parts that are also read as one word, and the longest such word. */
const JOINED_PARTS_MAX = 4;
const WORD_MAX = 40;

/**
 * The form in which texts and queries are compared: compatible spellings (full width, ligatures,
 * mathematical letters) become one, marks are dropped, letters are in lower case. They pass through
 * upper case, so that "ß" equals "SS" and "ı" equals "I".
 */
export function searchForm(given: string): string {
  const text = given.replace(SIGNED, (name) => ` ${SIGNED_WORDS[name.toLowerCase()]} `);
  if (!UNFOLDED.test(text)) return text.toLowerCase();
  // No text of any language becomes three times as long, but some signs become sentences.
  return text.normalize("NFKD").slice(0, 3 * text.length).replace(MARKS, "").normalize("NFC")
    .toLowerCase().toUpperCase().toLowerCase().replace(/[đøłæœ]/g, (letter) => PLAIN[letter]!);
}

/** The words of a text in their order, and those that its signs join ("next.js" is "nextjs"). */
export interface Words {
  words: string[];
  /** For each word that signs join with its neighbors, what they make together. */
  joined: Map<string, string>;
}

/** The words of a text. Names in camel case are read in parts too. */
export function wordsOf(given: string): Words {
  // "DiscordJs" is two words that make one, and so is "parse5".
  const text = searchForm(given.replace(CAMEL, "$1_$2").replace(DIGITS, "$1_$2"));
  const isPlain = !BEYOND_LATIN.test(text);
  const words: string[] = [];
  const joined = new Map<string, string>();
  for (const chunk of text.match(CHUNK) ?? []) {
    if (isPlain && !JOINTS.test(chunk)) {
      if (chunk.length <= WORD_MAX) words.push(chunk);
      continue;
    }
    const parts = chunk.split(JOINTS).flatMap(pairsOf);
    words.push(...parts);
    const whole = chunk.replace(ALL_JOINTS, "");
    if (whole === chunk || parts.length > JOINED_PARTS_MAX || whole.length > WORD_MAX) continue;
    for (const part of parts) joined.set(part, whole);
  }
  return { words, joined };
}

/** A run of letters as words: itself, or the pairs of neighbors in scripts without spaces. */
function pairsOf(run: string): string[] {
  if (!isUnspaced(run)) return run.length > WORD_MAX ? [] : [run];
  const letters = [...run];
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, i) => letters[i]! + letter);
}

/** Whether a word is one character, or a pair, of a script without spaces. */
export function isUnspaced(word: string): boolean {
  return BEYOND_LATIN.test(word) && UNSPACED.test(word);
}

/** Letters and digits of a text without anything between them: "Date-fns" is "datefns". */
export function squashed(text: string): string {
  return searchForm(text).replace(/[^\p{L}\p{N}\p{M}]+/gu, "");
}

const STEMS_MAX = 50_000;
let stems = new Map<string, string>();

/**
 * The stem of a word: English by Porter's algorithm, other words as they are. Who does a thing is
 * the thing too: a parser parses, a logger logs.
 */
export function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let stem = stems.get(word);
  if (stem === undefined) {
    if (stems.size >= STEMS_MAX) stems = new Map();
    stem = stemmer(word).replace(/(?<=\w{4})[eo]r$/, "").replace(/([gmnprt])\1$/, "$1");
    stems.set(word, stem);
  }
  return stem;
}

/** Words that say nothing about what is meant. They never exclude anything. */
const FILLERS = new Set(
  ("a about all am an and any are as at be been but by can could do does for from get gets getting " +
    "give got had has have help helps how i if in into is it its let like lets me my need needs of on or " +
    "our out over please should so some something that the them then there these they thing things this " +
    "to up us use used uses using via want wants was way we what when where which who will with without would " +
    "you your").split(" "),
);

/** Words that nearly everything here could be described by: they count for little. */
const WEAK = new Set(
  ("app application apps based best better build builder building create creating easy fast find good " +
    "great javascript js kit lib library make makes making module new node nodejs npm open package program " +
    "project projects simple site software source tool tools toolkit website work working write writing")
    .split(" "),
);

/** How much a word of a query counts, from 0 (a filler) to 1. */
export function meaningOf(word: string): number {
  return FILLERS.has(word) ? 0 : WEAK.has(word) ? 0.35 : 1;
}
