import { stemOf } from "./english.ts";
import { IdsByText } from "./ids_by_text.ts";
import { BETWEEN, synonymTable } from "./synonym_table.ts";
import { Vocabulary } from "./vocabulary.ts";
import { isUnspaced } from "./words.ts";

/** What else a word stands for. Synonym groups are words too. */
interface Meaning {
  groups: readonly number[];
  phrases: readonly { rest: readonly string[]; groups: readonly number[] }[];
}

/** Longer parts of a text keep the whole text in memory. */
const COPIED_ABOVE = 12;

/**
 * The words of all texts as numbers. Words with the same stem are one term, and so is each synonym
 * group. All lists are indexed by word or term number.
 */
export class Lexicon {
  readonly #words = new Map<string, number>();
  readonly #terms = new Map<string, number>();
  readonly words: string[] = [];
  readonly termOf: number[] = [];
  readonly meanings: (Meaning | undefined)[] = [];
  /** The number of documents with a word, and with a term. */
  readonly wordCounts: number[] = [];
  readonly counts: number[] = [];
  readonly stems: string[] = [];
  /** The terms that have a character of a script without spaces, by character. */
  readonly pairs = new IdsByText();
  readonly vocabulary = new Vocabulary({
    words: this.words,
    countOf: (word) => this.wordCounts[word] === 0 ? 0 : this.counts[this.termOf[word]!]!,
  });

  /** The term of a stem or group, if any text has had it. */
  term(stem: string): number | undefined {
    return this.#terms.get(stem);
  }

  /** The number of documents with a stem or group. */
  countOf(stem: string): number {
    return this.counts[this.#terms.get(stem) ?? -1] ?? 0;
  }

  /** True if a document has a word exactly. */
  has(word: string): boolean {
    return this.wordCounts[this.#words.get(word) ?? -1]! > 0;
  }

  /** True if the words of a text after index `at` continue a phrase, as in "store your passwords". */
  hasPhrase(rest: readonly string[], text: readonly number[], at: number): boolean {
    for (const stem of rest) {
      while (this.stems[this.termOf[text[++at]!]!] !== stem) {
        if (!BETWEEN.has(this.words[text[at]!] ?? "")) return false;
      }
    }
    return true;
  }

  /** A word's number. Adds the word if it is new. */
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
    const characters = isUnspaced(word) ? [...word].filter(isUnspaced) : [];
    for (const character of characters) this.pairs.add(character, term);
    const { groups, phrases: all } = synonymTable().of(stem);
    const phrases = all.filter(({ isProduct }) => !isProduct);
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

/** True if a word is a synonym group: no word in a text starts like one. */
export function isGroup(word: string): boolean {
  return word.startsWith("=");
}
