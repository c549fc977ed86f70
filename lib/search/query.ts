import { isAt, type SynonymTable } from "./synonym_table.ts";
import type { Budget, Vocabulary } from "./vocabulary.ts";
import { isUnspaced, meaningOf, stemOf, wordsOf } from "./words.ts";

/** The most words of a query that count. */
const WORDS_MAX = 16;

/** What one of the alternatives counts, beside the word itself. */
const JOINED = 1;
const COMPLETED = 0.7;
const SYNONYM = 0.6;
const MISTYPED = 0.6;
/** What a word counts as part of a phrase, if alone it would count for less. */
const IN_PHRASE = 0.6;

/** One word of the index that stands for a word of the query, and how much it counts (0 to 1). */
export interface Alternative {
  term: string;
  weight: number;
}

/** What a word of the query may be found as. */
export interface Concept {
  alternatives: Alternative[];
  /** How much it counts (0 to 1). */
  meaning: number;
}

/** What a query needs to know of the index. */
export interface QueryContext {
  vocabulary: Vocabulary;
  synonyms: SynonymTable;
  /** In how many documents a stem occurs. */
  countOf: (stem: string) => number;
  budget: Budget;
}

/** The words of a query, as what each of them may be found as. Fillers are left out if other words are there. */
export function readQuery(q: string, context: QueryContext): Concept[] {
  const { vocabulary, synonyms, countOf, budget } = context;
  const read = wordsOf(q.replace(/\bhttps?:\/\/|\bwww\./gi, " "));
  const words = [...new Set(read.words)].slice(0, WORDS_MAX);
  const isAllFilling = words.every((word) => meaningOf(word) === 0);
  const stems = words.map(stemOf);
  const concepts = words.map((word, i): Concept => {
    const stem = stems[i]!;
    const alternatives: Alternative[] = [{ term: stem, weight: 1 }];
    // "next.js" is found as "nextjs", "type script" as "typescript".
    const pairs = [read.joined.get(word), pairOf(words, i), pairOf(words, i - 1)];
    for (const pair of pairs) {
      if (pair !== undefined && countOf(stemOf(pair)) > 0) {
        alternatives.push({ term: stemOf(pair), weight: JOINED });
      }
    }
    if (i === words.length - 1 && !isUnspaced(word)) {
      for (const longer of vocabulary.completions(word)) {
        alternatives.push({ term: stemOf(longer), weight: COMPLETED });
      }
    }
    const meaning = isAllFilling ? 1 : meaningOf(word);
    return { alternatives, meaning };
  });
  const add = (at: number, groups: readonly string[]) =>
    concepts[at]!.alternatives.push(...groups.map((term) => ({ term, weight: SYNONYM })));
  for (const [i, stem] of stems.entries()) {
    const { groups, phrases } = synonyms.of(stem);
    add(i, groups);
    for (const phrase of phrases) {
      if (!isAt(phrase, stems, i)) continue;
      for (let at = i; at <= i + phrase.rest.length; at++) {
        add(at, phrase.groups);
        // A phrase says something even if its words alone do not: "sign in", "end to end".
        concepts[at]!.meaning = Math.max(concepts[at]!.meaning, IN_PHRASE);
      }
    }
  }
  for (const [i, { alternatives }] of concepts.entries()) {
    const word = words[i]!;
    if (alternatives.some(({ term }) => countOf(term) > 0) || isUnspaced(word)) continue;
    for (const near of vocabulary.nearest(word, budget)) {
      alternatives.push({ term: stemOf(near), weight: MISTYPED });
    }
  }
  return concepts.filter(({ meaning }) => meaning > 0);
}

/** The word at an index and the next one as one word, if both are there. */
function pairOf(words: readonly string[], i: number): string | undefined {
  const [one, other] = [words[i], words[i + 1]];
  return one === undefined || other === undefined ? undefined : one + other;
}
