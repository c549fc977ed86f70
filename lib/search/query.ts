import type { Budget } from "./budget.ts";
import { isEveryday, meaningOf, stemOf, WEAKLY } from "./english.ts";
import type { Lexicon } from "./lexicon.ts";
import { placesOf, synonymTable } from "./synonym_table.ts";
import { isUnspaced, squashed, type Words, wordsOf } from "./words.ts";

/** The maximum number of query words that count. */
const WORDS_MAX = 16;

/** The weight of an alternative, compared with the word itself. */
const JOINED = 1;
const COMPLETED = 0.7;
const SYNONYM = 0.7;
/** A whole phrase says more than a word: "let users log in" isn't about loggers. */
const PHRASE = 1;
/** The weight of what a named product is, so that entries which name it too come first. */
const KIND = 0.9;
/** The weight of a word in a phrase, if it would weigh less alone. */
const IN_PHRASE = 0.6;
/** The weight of a corrected word. A short one is less certain: "rate" may not be "date". */
const CORRECTED = 0.9;
const CORRECTED_SHORT = 0.6;
const SHORT = 4;
/** The weight of an everyday word that isn't in the table: "ready" says less than "button". */
const EVERYDAY = 0.6;

/** The shortest part that an unknown word may be split into. */
const PART_MIN = 3;

/** How many completions of an unfinished name count. */
const BEGUN_MAX = 4;

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
  budget: Budget;
  /** True if an entry has this name, squashed. */
  isName(word: string): boolean;
}

/** What a query asks for. Names are squashed. */
export interface Query {
  /** Its words, without fillers if there are others. */
  concepts: Concept[];
  /** The query as a name, the names in it, and those that it may mean as a whole. */
  name: string;
  names: string[];
  nearNames: string[];
  /** Possible names of the entry it wants an alternative to, likeliest first. */
  rivals: string[];
}

/** Reads a query. Mistyped words are read as what they probably mean. */
export function readQuery(q: string, context: QueryContext): Query {
  const { words: parts, joined } = wordsOf(q.replace(/\bhttps?:\/\/|\bwww\./gi, " "));
  const typed = parts.flatMap((word) => split(word, context));
  let concepts = conceptsOf({ words: typed, joined }, context);
  /** For each word that matches nothing, what it may be a typo of, most used first. */
  const corrections = new Map<string, readonly string[]>();
  for (const [word, { alternatives }] of concepts) {
    if (alternatives.size === 0) corrections.set(word, correctionsOf(word, context));
  }
  const words = typed.map((word) => corrections.get(word)?.[0] ?? word);
  if (words.some((word, i) => word !== typed[i])) {
    concepts = conceptsOf({ words, joined }, context);
    for (const near of corrections.values()) {
      const concept = concepts.get(near[0] ?? "");
      if (concept === undefined) continue;
      for (const term of termsOf(near, context)) concept.alternatives.set(term, 1);
      concept.meaning = Math.min(
        concept.meaning || 1,
        near[0]!.length > SHORT ? CORRECTED : CORRECTED_SHORT,
      );
    }
  }
  const names = namesIn({ words, joined, unknown: corrections }, context);
  const meant = [...concepts].filter(([, { meaning }]) => meaning > 0);
  // If nothing has "print", it may mean what "print invoices" does.
  if (meant.every(([, { alternatives }]) => alternatives.size === 0)) {
    for (const [word, { alternatives }] of meant) {
      for (const term of phraseTermsOf(word, context)) alternatives.set(term, SYNONYM);
    }
  }
  // An entry may call itself an alternative to something else. "Find and replace" is a task.
  const others = meant.filter(([word]) => word === "replace" || !RIVALS.has(word));
  return {
    concepts: (others.length > 0 ? others : meant).map(([, concept]) => concept),
    name: squashed(q),
    names,
    nearNames: nearNamesIn([...concepts.keys()], names),
    rivals: rivalsIn({ words, joined }),
  };
}

/** What each word can match, by word. */
function conceptsOf(
  { words: apart, joined }: Words,
  { lexicon, budget, isName }: QueryContext,
): Map<string, Concept> {
  const { vocabulary, termOf } = lexicon;
  const words = [...new Set(apart)].slice(0, WORDS_MAX);
  const isAllFilling = words.every((word) => meaningOf(word) === 0);
  const isForRivals = words.some((word) => RIVALS.has(word));
  const stems = words.map(stemOf);
  const mostOf = (word: string, stem: string) => {
    const isPlain = isEveryday(word) && !isName(word) && !synonymTable().has(stem);
    // A word found nowhere still counts as the rarest, so no entry is a good match without it.
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
    const wholes = joined.filter(({ parts }) => parts.includes(word));
    const pairs = [...wholes.map(({ whole }) => whole), pairOf(words, i), pairOf(words, i - 1)];
    for (const pair of pairs) {
      const stem = pair === undefined ? undefined : stemOf(pair);
      if (stem === undefined || stems.includes(stem)) continue;
      add(i, lexicon.term(stem), JOINED);
      for (const group of synonymTable().of(stem).groups) add(i, lexicon.term(group), PHRASE);
    }
    // One character of a script without spaces also matches the pairs that have it.
    for (const pair of lexicon.pairs.get(word).slice(0, budget.comparisons)) {
      budget.comparisons--;
      add(i, pair, 1);
    }
    const { groups, kinds } = synonymTable().of(stems[i]!);
    for (const group of groups) add(i, lexicon.term(group), SYNONYM);
    // To zoom into an image isn't Zoom, and a steam engine isn't Steam.
    const isPlain = isEveryday(word) || lexicon.countOf(stems[i]!) > 0;
    for (const group of isPlain && !isForRivals ? [] : kinds) add(i, lexicon.term(group), KIND);
    // "Cad" isn't the start of "caddy" if an entry has "CAD". "Automer" isn't automation.
    const isWhole = synonymTable().has(stems[i]!) && (lexicon.has(word) || isEveryday(word));
    if (i < words.length - 1 || isUnspaced(word) || isWhole) continue;
    for (const longer of vocabulary.completions(word)) add(i, termOf[longer], COMPLETED);
  }
  // The query with repeats, as places in `words`: "end to end" has a word twice.
  const order = apart.map((word) => words.indexOf(word)).filter((i) => i >= 0);
  const inOrder = { words: order.map((i) => words[i]!), stems: order.map((i) => stems[i]!) };
  // In "rich tex", the last word is unfinished. In "api cli", it isn't the start of "client".
  const isBegun = !synonymTable().has(inOrder.stems.at(-1) ?? "");
  for (const [at, i] of order.entries()) {
    for (const phrase of synonymTable().of(stems[i]!).phrases) {
      for (const place of placesOf(phrase, { ...inOrder, at, isBegun })) {
        const concept = order[place]!;
        for (const group of phrase.groups) add(concept, lexicon.term(group), PHRASE);
        // A phrase can mean something when its words alone don't: "sign in", "end to end".
        const least = meaningOf(words[concept]!) === 1 ? 1 : IN_PHRASE;
        concepts[concept]!.meaning = Math.max(concepts[concept]!.meaning, least);
      }
    }
  }
  return new Map(words.map((word, i) => [word, concepts[i]!]));
}

/** The words that an unknown one may be a typo of, most used first. */
function correctionsOf(
  word: string,
  { lexicon, budget, isName }: QueryContext,
): string[] {
  // "Take" isn't a mistyped "make". Nor is "fake".
  const isWord = meaningOf(word) === 0 || isEveryday(word) || synonymTable().has(stemOf(word));
  if (isWord || isUnspaced(word)) return [];
  const near = lexicon.vocabulary.nearest(word, budget, synonymTable().vocabulary);
  return near.filter((other) => meaningOf(other) > 0 || isName(other));
}

/** The terms of words, among those of entries. */
function termsOf(words: readonly string[], { lexicon }: QueryContext): number[] {
  const terms = words.map((word) => lexicon.term(stemOf(word)) ?? -1);
  return terms.filter((term) => lexicon.counts[term]! > 0);
}

/** The terms of the groups that a word can stand for within a phrase. */
function phraseTermsOf(word: string, { lexicon }: QueryContext): number[] {
  // Apple isn't Apple Music.
  const phrases = synonymTable().of(stemOf(word)).phrases.filter(({ isProduct }) => !isProduct);
  const terms = phrases.flatMap(({ groups }) => groups).map((group) => lexicon.term(group) ?? -1);
  return terms.filter((term) => lexicon.counts[term]! > 0);
}

/** An unknown word as known ones: "videoplayer" is "video player", "svg2png" is "svg png". */
function split(
  word: string,
  { lexicon, budget, isName }: QueryContext,
): readonly string[] {
  const stem = stemOf(word);
  // "Reactjs" is React, even if a project's tags have that word.
  const [named = "", js] = word.split(/(?=js$)/);
  if (js !== undefined && isName(named) && !isName(word)) return [named, js];
  if (isEveryday(word) || synonymTable().has(stem) || lexicon.countOf(stem) > 0) return [word];
  const cuts = [word.split(/2(?=\D\D)|(?=js$)/).filter((part) => part !== "")];
  for (let at = PART_MIN; at <= word.length - PART_MIN; at++) {
    cuts.push([word.slice(0, at), word.slice(at)]);
  }
  const isKnown = (part: string) => {
    if (lexicon.has(part) || meaningOf(part) === WEAKLY) return true;
    // A stem alone may be a piece of a word, as "bord" is of "border".
    const stem = stemOf(part);
    return synonymTable().of(stem).groups.length > 0 || stem !== part && lexicon.countOf(stem) > 0;
  };
  const parts = cuts.find((cut) => cut.length > 1 && cut.every(isKnown));
  // "Playright" is a mistyped "playwright".
  return parts === undefined || lexicon.vocabulary.hasNear(word, budget) ? [word] : parts;
}

/** The names in a query: words, words joined by symbols, and two to four words in a row. */
function namesIn(
  { words, joined, unknown }: Words & { unknown: Pick<ReadonlySet<string>, "has"> },
  { lexicon, budget, isName }: QueryContext,
): string[] {
  const names = [...words, ...joined.map(({ whole }) => whole)];
  const isMeant = (word: string | undefined) => word !== undefined && meaningOf(word) > 0;
  for (const [i, word] of words.entries()) {
    for (const end of [i + 1, i + 2, i + 3]) {
      const name = words.slice(i, end + 1);
      if (isMeant(word) && isMeant(words[end]) && isTelling(name)) names.push(name.join(""));
    }
  }
  for (const { whole, parts } of joined) {
    if (!parts.some((part) => isMeant(part) && unknown.has(part))) continue;
    if (!isMeant(whole) || isEveryday(whole) || lexicon.has(whole)) continue;
    // In "fue.js" and "date-f", it is the whole name that is mistyped or unfinished.
    const begun = lexicon.vocabulary.completions(whole, BEGUN_MAX);
    const near = begun.length > 0
      ? begun.map((number) => lexicon.words[number]!)
      : lexicon.vocabulary.nearest(whole, budget);
    names.push(...near);
  }
  return [...new Set(names)].filter(isName);
}

/**
 * Names that a query may mean without spelling them that way. "How to use date fns" means the entry
 * "date-fns". "Next.js" means "Next", "say.js" means "Say", and "check.js" means "Check".
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

/** Possible names in "next.js alternatives" or "like express but faster", likeliest first. */
function rivalsIn({ words, joined }: Words): string[] {
  if (!words.some((word) => RIVALS.has(word))) return [];
  const others = words.filter((word) => !RIVALS.has(word));
  const meant = others.filter((word) => meaningOf(word) > 0);
  const telling = meant.filter((word) => meaningOf(word) === 1);
  const wholes = joined.map(({ whole }) => whole);
  // A name may be a filler: "alternative to once".
  const likely = meant.length > 0 ? telling.join("") : others.at(-1) ?? "";
  // "React" isn't meant in "react-query".
  const isPart = (name: string) => joined.some(({ parts }) => parts.includes(name));
  const beside = words.flatMap(besideRival).filter((name) => !isPart(name));
  return [others.join(""), meant.join(""), ...wholes, likely, ...beside];
}

/** Possible names next to a rival word in a sentence: "an alternative to react with hooks". */
function besideRival(word: string, i: number, words: readonly string[]): string[] {
  // "I would like a motion detector" isn't about projects like Motion.
  if (!RIVALS.has(word) || word === "like") return [];
  const meant = (part: readonly string[]) => part.filter((word) => meaningOf(word) > 0);
  const before = meant(words.slice(0, i)).slice(-3);
  const after = meant(words.slice(i + 1)).slice(0, 3);
  const left = before.map((_, n) => before.slice(n));
  const right = after.map((_, n) => after.slice(0, after.length - n));
  const isRight = word === "than" || words[i + 1] === "to" || words[i + 1] === "of";
  // "A free alternative" isn't about projects like "Free" either.
  return (isRight ? [...right, ...left] : [...left, ...right])
    .filter(isTelling).map((name) => name.join(""));
}

/** True if some words say more than "web app" or "free", so that they may be a name. */
function isTelling(words: readonly string[]): boolean {
  return words.some((word) => meaningOf(word) === 1);
}
