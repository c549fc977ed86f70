import type { Budget } from "./budget.ts";
import { isEveryday, meaningOf, stemOf } from "./english.ts";
import type { Lexicon } from "./lexicon.ts";
import { placesOf, type SynonymTable } from "./synonym_table.ts";
import { isUnspaced, type Words, wordsOf } from "./words.ts";

/** The maximum number of query words that count. */
const WORDS_MAX = 16;

/** The weight of an alternative, compared with the word itself. */
const JOINED = 1;
const COMPLETED = 0.7;
const SYNONYM = 0.7;
/** A whole phrase says more than a word: "let users log in" isn't about loggers. */
const PHRASE = 1;
/** The weight of a word in a phrase, if it would weigh less alone. */
const IN_PHRASE = 0.6;
/** The weight of a corrected word: "rate" may not be a mistyped "date". */
const CORRECTED = 0.6;
/** The weight of an everyday word that isn't in the table: "ready" says less than "button". */
const EVERYDAY = 0.6;

/** The shortest part that an unknown word may be split into. */
const PART_MIN = 3;

/** How many completions of a corrected word count. */
const CORRECTED_MAX = 4;

/** Words of a query that asks for entries like the one it names. */
const RIVALS = new Set(
  ("alternative alternatives competitor competitors instead like replace replacement " +
    "replacements similar than").split(" "),
);

/** What a query word can match. */
export interface Concept {
  /** Index terms and the weight of each (0 to 1). */
  alternatives: Map<number, number>;
  /** The word's weight (0 to 1). */
  meaning: number;
}

/** What a query needs to know about the index. */
interface QueryContext {
  lexicon: Lexicon;
  synonyms: SynonymTable;
  budget: Budget;
  /** True if an entry has this name, squashed. */
  isName(word: string): boolean;
}

/**
 * What each word of a query can match. Fillers are left out if there are other words. `names` are
 * the names in it, and `nearNames` those that the whole query may mean.
 */
export function readQuery(
  q: string,
  context: QueryContext,
): { concepts: Concept[]; names: string[]; nearNames: string[] } {
  const { lexicon, synonyms, budget, isName } = context;
  const { vocabulary, termOf } = lexicon;
  const read = wordsOf(q.replace(/\bhttps?:\/\/|\bwww\./gi, " "));
  const last = read.words.length - 1;
  const apart = read.words.flatMap((word, i) => split(word, { ...context, isLast: i === last }));
  const words = [...new Set(apart)].slice(0, WORDS_MAX);
  const isAllFilling = words.every((word) => meaningOf(word) === 0);
  const stems = words.map(stemOf);
  const mostOf = (word: string, stem: string) => {
    const isPlain = isEveryday(word) && !isName(word) && !synonyms.has(stem);
    // A word found nowhere still counts as the rarest, so that what lacks it isn't good.
    return isPlain && lexicon.countOf(stem) > 0 ? EVERYDAY : 1;
  };
  const concepts = words.map((word, i): Concept => ({
    alternatives: new Map(),
    meaning: isAllFilling || isName(word) && isCompared(apart, word)
      ? 1
      : Math.min(meaningOf(word), mostOf(word, stems[i]!)),
  }));
  const add = (at: number, term: number | undefined, weight: number) => {
    const { alternatives } = concepts[at]!;
    if (term === undefined || lexicon.counts[term] === 0) return;
    alternatives.set(term, Math.max(weight, alternatives.get(term) ?? 0));
  };
  for (const [i, word] of words.entries()) {
    add(i, lexicon.term(stems[i]!), 1);
    // "next.js" also matches "nextjs", "type script" "typescript", and "screen shot" "screenshot".
    const wholes = read.joined.filter(({ parts }) => parts.includes(word));
    const pairs = [...wholes.map(({ whole }) => whole), pairOf(words, i), pairOf(words, i - 1)];
    for (const pair of pairs) {
      const stem = pair === undefined ? undefined : stemOf(pair);
      if (stem === undefined || stems.includes(stem)) continue;
      add(i, lexicon.term(stem), JOINED);
      for (const group of synonyms.of(stem).groups) add(i, lexicon.term(group), PHRASE);
    }
    if (i === words.length - 1 && !isUnspaced(word)) {
      for (const longer of vocabulary.completions(word)) add(i, termOf[longer], COMPLETED);
    }
    for (const group of synonyms.of(stems[i]!).groups) add(i, lexicon.term(group), SYNONYM);
  }
  // The query with repeats, as places in `words`: "end to end" has a word twice.
  const order = apart.map((word) => words.indexOf(word)).filter((i) => i >= 0);
  const inOrder = { words: order.map((i) => words[i]!), stems: order.map((i) => stems[i]!) };
  // In "rich tex", the last word is unfinished. In "api cli", it isn't the start of "client".
  const isBegun = !synonyms.has(inOrder.stems.at(-1) ?? "");
  for (const [at, i] of order.entries()) {
    for (const phrase of synonyms.of(stems[i]!).phrases) {
      for (const place of placesOf(phrase, { ...inOrder, at, isBegun })) {
        const concept = order[place]!;
        for (const group of phrase.groups) add(concept, lexicon.term(group), PHRASE);
        // A phrase can mean something when its words alone don't: "sign in", "end to end".
        concepts[concept]!.meaning = Math.max(concepts[concept]!.meaning, IN_PHRASE);
      }
    }
  }
  const unknown = new Set(words.filter((_, i) => concepts[i]!.alternatives.size === 0));
  const names = namesIn({ words: apart, joined: read.joined, unknown }, context);
  for (const [i, word] of words.entries()) {
    if (!unknown.has(word) || concepts[i]!.meaning === 0 || isUnspaced(word)) continue;
    // "Take" isn't a mistyped "make". Nor is "fake".
    if (isEveryday(word) || synonyms.has(stems[i]!)) continue;
    for (const near of vocabulary.nearest(word, budget)) {
      const other = lexicon.words[near]!;
      if (meaningOf(other) === 0 && !isName(other)) continue;
      add(i, termOf[near], 1);
      for (const longer of vocabulary.completions(other, CORRECTED_MAX)) {
        add(i, termOf[longer], 1);
      }
      concepts[i]!.meaning = CORRECTED;
    }
  }
  return {
    concepts: concepts.filter(({ meaning }) => meaning > 0),
    names,
    nearNames: nearNamesIn(words, names),
  };
}

/** An unknown word as two known ones: "videoplayer" is "video player", "svg2png" is "svg png". */
function split(
  word: string,
  { lexicon, synonyms, isLast }: QueryContext & { isLast: boolean },
): readonly string[] {
  const stem = stemOf(word);
  if (isEveryday(word) || synonyms.has(stem) || lexicon.countOf(stem) > 0) return [word];
  const cuts = [word.split(/2(?=\D\D)/).filter((part) => part !== "")];
  for (let at = PART_MIN; at <= word.length - PART_MIN; at++) {
    cuts.push([word.slice(0, at), word.slice(at)]);
  }
  const isKnown = (part: string) =>
    lexicon.has(part) || synonyms.of(stemOf(part)).groups.length > 0;
  const parts = cuts.find((cut) => cut.every(isKnown));
  if (parts === undefined) return [word];
  return isLast && lexicon.vocabulary.completions(word, 1).length > 0 ? [word] : parts;
}

/** The names in a query: words, words joined by symbols, and two to four words in a row. */
function namesIn(
  { words, joined, unknown }: Words & { unknown: ReadonlySet<string> },
  { lexicon, budget, isName }: QueryContext,
): string[] {
  const names = [...words, ...joined.map(({ whole }) => whole)];
  const isMeant = (word: string | undefined) => word !== undefined && meaningOf(word) > 0;
  for (const [i, word] of words.entries()) {
    for (const end of [i + 1, i + 2, i + 3]) {
      if (isMeant(word) && isMeant(words[end])) names.push(words.slice(i, end + 1).join(""));
    }
  }
  for (const { whole, parts } of joined) {
    if (!parts.some((part) => isMeant(part) && unknown.has(part))) continue;
    if (!isMeant(whole) || isEveryday(whole) || lexicon.has(whole)) continue;
    // In "fue.js" and "date-f", it is the whole name that is mistyped or unfinished.
    const begun = lexicon.vocabulary.completions(whole, CORRECTED_MAX);
    const near = begun.length > 0 ? begun : lexicon.vocabulary.nearest(whole, budget);
    names.push(...near.map((number) => lexicon.words[number]!));
  }
  return [...new Set(names)].filter(isName);
}

/**
 * What a query may name besides what it says. "How to use date fns" means the entry named
 * "date-fns". "Next.js" means the one named "Next", "say.js" the one named "Say", and "check.js"
 * "Check".
 */
function nearNamesIn(words: readonly string[], names: readonly string[]): string[] {
  const longer = names.filter((name) => !words.includes(name));
  if (longer.length > 0) return longer;
  const ofMeaning = (meaning: number) =>
    words.filter((word) => meaningOf(word) === meaning).join("");
  return [ofMeaning(1) || ofMeaning(0) || words.filter((word) => word !== "js").join("")];
}

/** The word at an index joined with the next one, if both exist. */
function pairOf(words: readonly string[], i: number): string | undefined {
  const [one, other] = [words[i], words[i + 1]];
  return one === undefined || other === undefined ? undefined : one + other;
}

/** True for a word next to "vs": in "got vs axios", "got" may be a name. */
function isCompared(words: readonly string[], word: string): boolean {
  const isVersus = (at: number) => words[at] === "vs" || words[at] === "versus";
  return words.some((other, i) => other === word && (isVersus(i - 1) || isVersus(i + 1)));
}

/** What may be the name in "next.js alternatives" or "like express but faster", likeliest first. */
export function rivalsIn(q: string): string[] {
  const { words, joined } = wordsOf(q);
  if (!words.some((word) => RIVALS.has(word))) return [];
  const others = words.filter((word) => !RIVALS.has(word));
  const meant = others.filter((word) => meaningOf(word) > 0);
  const telling = meant.filter((word) => meaningOf(word) === 1);
  const wholes = joined.map(({ whole }) => whole);
  // A name may be a filler: "alternative to once".
  const likely = meant.length > 0 ? telling.join("") : others.at(-1) ?? "";
  return [others.join(""), meant.join(""), ...wholes, likely];
}
