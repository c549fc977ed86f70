/** The weight of a document's word is kept in steps of this size, in one byte. */
const STEP = 1 / 8;

/** How many entries the first block of a word has room for, and the largest block. */
const BLOCK_MIN = 4;
const BLOCK_MAX = 1_024;

/** Gets each document that has a word, with the word's weight in it. */
export type Visit = (document: number, weight: number) => void;

/**
 * For each word, the documents that have it and its weight in each. Documents and words are numbers
 * from 0 on, and a word's documents must be added in ascending order.
 *
 * All of it is in one array. A word has a chain of blocks; each is twice as long as the one before,
 * and its last place has the index of the next one. An array for each word would be quicker to
 * write, and take the collector's time: there are hundreds of thousands, and all of them grow.
 */
export class Postings {
  #data = new Uint32Array(1 << 12);
  #end = 0;
  /** By word: where its first block begins, and the end of its last one, where the pointer goes. */
  readonly #first: number[] = [];
  readonly #last: number[] = [];
  /** By word: where its next entry goes, how long its last block is, and how many entries it has. */
  readonly #next: number[] = [];
  readonly #block: number[] = [];
  readonly #count: number[] = [];

  /** How many documents have a word, those included that were removed since. */
  count(word: number): number {
    return this.#count[word] ?? 0;
  }

  /** Adds a document to a word. A new word must be the next number. */
  add(word: number, document: number, weight: number): void {
    if (word === this.#count.length) {
      this.#count.push(0);
      this.#block.push(BLOCK_MIN);
      this.#first.push(this.#allocate(BLOCK_MIN));
      this.#next.push(this.#first[word]!);
      this.#last.push(this.#first[word]! + BLOCK_MIN);
    } else if (this.#next[word] === this.#last[word]) {
      const size = Math.min(BLOCK_MAX, 2 * this.#block[word]!);
      const block = this.#allocate(size);
      this.#data[this.#last[word]!] = block;
      this.#block[word] = size;
      this.#next[word] = block;
      this.#last[word] = block + size;
    }
    const byte = Math.max(1, Math.min(255, Math.round(weight / STEP)));
    this.#data[this.#next[word]!++] = document * 256 + byte;
    this.#count[word]!++;
  }

  /** Visits the documents of a word, in their order. */
  each(word: number, visit: Visit): void {
    const data = this.#data;
    let left = this.count(word);
    let at = this.#first[word]!;
    for (let size = BLOCK_MIN; left > 0; size = Math.min(BLOCK_MAX, 2 * size)) {
      const end = at + Math.min(size, left);
      left -= end - at;
      const start = at;
      for (; at < end; at++) visit(data[at]! >>> 8, (data[at]! & 255) * STEP);
      at = data[start + size]!;
    }
  }

  #allocate(size: number): number {
    const block = this.#end;
    this.#end += size + 1;
    if (this.#end > this.#data.length) {
      const grown = new Uint32Array(Math.ceil(this.#end * 1.5));
      grown.set(this.#data);
      this.#data = grown;
    }
    return block;
  }
}
