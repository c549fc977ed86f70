import type { Budget } from "./budget.ts";

/** The maximum number of words that can replace a mistyped word or complete an unfinished one. */
const NEAREST_MAX = 8;
const COMPLETIONS_MAX = 24;

/** The shortest start of a word that may be mistyped: "todo" isn't the start of "toolchain". */
const MISTYPED_START_MIN = 5;

/** The longest word with typo tolerance: nobody types longer ones, and they are slow to compare. */
const LETTERS_MAX = 40;

/**
 * The typos allowed in a word of this length: none below 4 letters, 1 up to 7, 2 up to 40, none
 * above.
 */
function editsForgiven(length: number): number {
  return length < 4 || length > LETTERS_MAX ? 0 : length < 8 ? 1 : 2;
}

/** The index's words by number. */
interface Words {
  words: readonly string[];
  /** The number of documents with a word or its stem; 0 if it no longer occurs. */
  countOf: (word: number) => number;
}

/** The index's words, arranged for finding what a mistyped or unfinished word may mean. */
export class Vocabulary {
  readonly #known: Words;
  readonly #byLength: { words: number[]; letters: number[] }[] = [];
  readonly #byStart = new Map<string, number[]>();

  constructor(known: Words) {
    this.#known = known;
  }

  /** Adds a word, which must be new. */
  add(number: number): void {
    const word = this.#known.words[number]!;
    while (this.#byLength.length <= word.length) this.#byLength.push({ words: [], letters: [] });
    const group = this.#byLength[word.length]!;
    group.words.push(number);
    group.letters.push(lettersOf(word));
    const start = word.slice(0, 2);
    const begun = this.#byStart.get(start);
    if (begun === undefined) this.#byStart.set(start, [number]);
    else begun.push(number);
  }

  /** The most used words starting with two or more letters, excluding the letters themselves. */
  completions(start: string, most = COMPLETIONS_MAX): number[] {
    if (start.length < 2) return [];
    return this.#mostUsed(
      this.#begun(start).filter((number) => {
        const word = this.#known.words[number]!;
        return word.length > start.length && word.startsWith(start);
      }),
      most,
    );
  }

  /**
   * The words with the fewest edits from `word` (insertion, deletion, substitution, swap of
   * neighbors), within `editsForgiven`, most used first. A different number isn't a typo, so only
   * words with the same digits or none match. Words of another vocabulary count if none of this
   * one has as few edits. If there are none, `word` may be the start of a longer word.
   */
  nearest(word: string, budget: Budget, other: Vocabulary = this): string[] {
    // Nothing can replace a number, so skip the search.
    if (!/\P{N}/u.test(word)) return [];
    const forgiven = editsForgiven(word.length);
    // Most typos are one edit away, and those are faster to find.
    for (let most = 1; most <= forgiven; most++) {
      for (const vocabulary of new Set([this, other])) {
        const near = vocabulary.#within(word, most, budget);
        if (near.length > 0) return vocabulary.#wordsOf(near);
      }
    }
    if (forgiven === 0) return [];
    const most = word.length < MISTYPED_START_MIN ? 0 : 1;
    const begun: number[] = [];
    for (const number of this.#begun(word)) {
      const other = this.#known.words[number]!;
      if (other.length <= word.length) continue;
      if (budget.comparisons <= 0) break;
      budget.comparisons--;
      if (startDistance(word, other) <= most) begun.push(number);
    }
    return this.#wordsOf(begun);
  }

  /** True if `word` is long enough for a typo and one edit away from a known word. */
  hasNear(word: string, budget: Budget): boolean {
    return editsForgiven(word.length) > 0 && this.#within(word, 1, budget).length > 0;
  }

  #wordsOf(numbers: readonly number[]): string[] {
    return this.#mostUsed(numbers, NEAREST_MAX).map((number) => this.#known.words[number]!);
  }

  /** The words with the same first two letters. */
  #begun(start: string): readonly number[] {
    return this.#byStart.get(start.slice(0, 2)) ?? [];
  }

  #mostUsed(numbers: readonly number[], most: number): number[] {
    const { words, countOf } = this.#known;
    return numbers.map((number) => ({ number, word: words[number]!, count: countOf(number) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
      .slice(0, most).map(({ number }) => number);
  }

  /** The words with the fewest edits from `word`, up to `most`. */
  #within(word: string, most: number, budget: Budget): number[] {
    const ours = lettersOf(word);
    const digits = digitsOf(word);
    let found: number[] = [];
    for (let length = word.length - most; length <= word.length + most; length++) {
      const group = this.#byLength[length];
      if (group === undefined) continue;
      const { words, letters } = group;
      // Skips most words by their letter sets. An edit changes up to two members of the set, or one
      // if it changes the length.
      const off = 2 * most - Math.abs(length - word.length);
      for (let i = 0; i < letters.length; i++) {
        if (bitCount(ours ^ letters[i]!) > off) continue;
        if (budget.comparisons <= 0) return found;
        budget.comparisons--;
        const other = this.#known.words[words[i]!]!;
        const distance = editDistance(word, other, most);
        if (distance > most || this.#known.countOf(words[i]!) === 0) continue;
        const theirs = digitsOf(other);
        if (theirs !== "" && theirs !== digits) continue;
        if (distance < most) {
          most = distance;
          found = [];
        }
        found.push(words[i]!);
      }
    }
    return found;
  }
}

/** The edits from `word` to the start of a longer word, if at most one. */
function startDistance(word: string, other: string): number {
  let least = 2;
  for (let length = word.length - 1; length <= word.length + 1; length++) {
    least = Math.min(least, editDistance(word, other.slice(0, length), 1));
  }
  return least;
}

/** The number of set bits in a 32-bit word (Hacker's Delight, section 5-1, parallel count). */
function bitCount(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** A word's set of letters, folded into 32 bits. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

/** A word's digits in order. */
function digitsOf(word: string): string {
  return word.replace(/\P{N}/gu, "");
}

/**
 * The optimal string alignment distance of two words, or any number above `most` once it must
 * exceed that.
 */
function editDistance(a: string, b: string, most: number): number {
  const beyond = most + 1;
  if (Math.abs(a.length - b.length) > most) return beyond;
  // A common prefix takes no edits.
  let start = 0;
  while (start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  const [rows, columns] = [a.length - start, b.length - start];
  let [before, last, row] = ROWS as [number[], number[], number[]];
  for (let j = 0; j <= columns; j++) last[j] = j;
  for (let i = 1; i <= rows; i++) {
    const letter = a.charCodeAt(start + i - 1);
    const from = Math.max(1, i - most);
    const to = Math.min(columns, i + most);
    let left = from === 1 ? i : beyond;
    row[from - 1] = left;
    let least = left;
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(start + j - 1);
      let cost = Math.min(left + 1, last[j - 1]! + (letter === other ? 0 : 1));
      if (j < i + most) cost = Math.min(cost, last[j]! + 1);
      const isSwap = i > 1 && j > 1 && letter === b.charCodeAt(start + j - 2) &&
        a.charCodeAt(start + i - 2) === other;
      if (isSwap) cost = Math.min(cost, before[j - 2]! + 1);
      row[j] = left = cost;
      least = Math.min(least, cost);
    }
    if (least > most) return beyond;
    [before, last, row] = [last, row, before];
  }
  return last[columns]!;
}

/** Reused rows for comparing two words; a query compares thousands. */
const ROWS: readonly number[][] = [[], [], []];
