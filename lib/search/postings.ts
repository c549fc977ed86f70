/** The weight of a document's word is kept in steps of this size, in one byte. */
export const STEP = 1 / 8;

/** How many entries the first block of a word has room for, and the largest block. */
const BLOCK_MIN = 2;
const BLOCK_MAX = 1_024;

/**
 * For each word, the documents that have it and its weight in each. Documents and words are numbers
 * from 0 on.
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
  #read = new Uint32Array(1 << 10);

  /** Adds a document to a word. */
  add(word: number, document: number, weight: number): void {
    while (word >= this.#count.length) {
      for (const list of [this.#first, this.#last, this.#next, this.#count]) list.push(0);
      this.#block.push(BLOCK_MIN / 2);
    }
    if (this.#next[word] === this.#last[word]) {
      const size = Math.min(BLOCK_MAX, 2 * this.#block[word]!);
      const block = this.#allocate(size);
      if (this.#count[word] === 0) this.#first[word] = block;
      else this.#data[this.#last[word]!] = block;
      this.#block[word] = size;
      this.#next[word] = block;
      this.#last[word] = block + size;
    }
    const byte = Math.max(1, Math.min(255, Math.round(weight / STEP)));
    this.#data[this.#next[word]!++] = document * 256 + byte;
    this.#count[word]!++;
  }

  /**
   * The documents of a word, `most` at most, in the order in which they were added: each is 256
   * times its number, and its weight in steps. The array is used again by the next call.
   */
  read(word: number, most = Infinity): Uint32Array {
    const data = this.#data;
    const count = Math.min(most, this.#count[word] ?? 0);
    if (count > this.#read.length) this.#read = new Uint32Array(2 * count);
    const read = this.#read;
    let at = this.#first[word] ?? 0;
    let done = 0;
    for (let size = BLOCK_MIN; done < count; size = Math.min(BLOCK_MAX, 2 * size)) {
      const end = Math.min(count, done + size);
      const next = at + size;
      while (done < end) read[done++] = data[at++]!;
      at = data[next]!;
    }
    return read.subarray(0, count);
  }

  #allocate(size: number): number {
    const block = this.#end;
    this.#end += size + 1;
    if (this.#end > this.#data.length) {
      const grown = new Uint32Array(Math.ceil(this.#end * 1.3));
      grown.set(this.#data);
      this.#data = grown;
    }
    return block;
  }
}
