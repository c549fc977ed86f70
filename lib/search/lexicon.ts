import type { SynonymTable } from "./synonym_table.ts";
import { Vocabulary } from "./vocabulary.ts";
import { stemOf } from "./words.ts";

/** What else a word of the texts stands for. Groups of synonyms are words as well. */
interface Meaning {
  groups: readonly number[];
  phrases: readonly { rest: readonly string[]; groups: readonly number[] }[];
}

/** Longer parts of a text keep the whole text in memory. */
const COPIED_ABOVE = 12;

/**
 * The words of all texts as numbers. Words with one stem are one term, and so is each group of
 * synonyms. All lists are by the number of a word or of a term.
 */
export class Lexicon {
  readonly #synonyms: SynonymTable;
  readonly #words = new Map<string, number>();
  readonly #terms = new Map<string, number>();
  readonly words: string[] = [];
  readonly termOf: number[] = [];
  readonly meanings: (Meaning | undefined)[] = [];
  /** In how many documents a word is, and a term. */
  readonly wordCounts: number[] = [];
  readonly counts: number[] = [];
  readonly stems: string[] = [];
  readonly vocabulary = new Vocabulary({
    words: this.words,
    countOf: (word) => this.wordCounts[word] === 0 ? 0 : this.counts[this.termOf[word]!]!,
  });

  constructor(synonyms: SynonymTable) {
    this.#synonyms = synonyms;
  }

  /** The term of a stem or a group, if texts have or had it. */
  term(stem: string): number | undefined {
    return this.#terms.get(stem);
  }

  /** In how many documents a stem or a group is. */
  countOf(stem: string): number {
    return this.counts[this.#terms.get(stem) ?? -1] ?? 0;
  }

  /** The number of a word, which is added if it is new. */
  number(word: string): number {
    return this.#words.get(word) ?? this.add(word, stemOf(word));
  }

  /** Adds a word, which must be new. */
  add(given: string, stem: string): number {
    const word = given.length > COPIED_ABOVE ? given.split("").join("") : given;
    let term = this.#terms.get(stem);
    if (term === undefined) {
      this.#terms.set(stem, term = this.stems.push(stem === given ? word : stem) - 1);
      this.counts.push(0);
    }
    const number = this.words.push(word) - 1;
    this.#words.set(word, number);
    this.termOf.push(term);
    this.wordCounts.push(0);
    this.meanings.push(undefined);
    if (isGroup(word)) return number;
    this.vocabulary.add(number);
    const { groups, phrases } = this.#synonyms.of(stem);
    if (groups.length > 0 || phrases.length > 0) {
      const numbers = (names: readonly string[]) => names.map((name) => this.#group(name));
      this.meanings[number] = {
        groups: numbers(groups),
        phrases: phrases.map(({ rest, groups }) => ({ rest, groups: numbers(groups) })),
      };
    }
    return number;
  }

  #group(name: string): number {
    return this.#words.get(name) ?? this.add(name, name);
  }
}

/** Whether a word is a group of synonyms: no word of a text begins so. */
export function isGroup(word: string): boolean {
  return word.startsWith("=");
}
