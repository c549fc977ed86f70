/** Word weights are stored in one byte, in steps of this size. */
export const STEP = 1 / 8;

/** The number of entries in a word's first block, and in the largest block. */
const BLOCK_MIN = 2;
const BLOCK_MAX = 1_024;

/**
 * For each word, its documents and its weight in each. Documents and words are numbered from 0.
 * Everything is in one array. Each word has a chain of blocks, each twice as long as the one
 * before, whose last slot is the index of the next. One array per word would be faster to write,
 * but costs garbage collection time: there are hundreds of thousands, and all of them grow.
 */
export class Postings {
  #data = new Uint32Array(1 << 12);
  #end = 0;
  /** By word: the start of its first block, and the end of its last one, where the pointer goes. */
  readonly #first: number[] = [];
  readonly #last: number[] = [];
  /** By word: the position of its next entry, the length of its last block and its entry count. */
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
   * Up to `most` documents of a word, in the order they were added. Each is 256 times the document
   * number plus the weight in steps. The next call reuses the array.
   */
  read(word: number, most = Infinity): Uint32Array {
    const data = this.#data;
    const count = Math.min(most, this.#count[word] ?? 0);
    if (count > this.#read.length) this.#read = new Uint32Array(2 * count);
    const read = this.#read;
    let at = this.#first[word] ?? 0;
    let done = 0;
    for (let size = BLOCK_MIN; done < count; size = Math.min(BLOCK_MAX, 2 * size)) {
      const length = Math.min(size, count - done);
      read.set(data.subarray(at, at + length), done);
      done += length;
      at = data[at + size]!;
    }
    return read.subarray(0, count);
  }

  #allocate(size: number): number {
    const block = this.#end;
    this.#end += size + 1;
    if (this.#end > this.#data.length) {
      // Unlike a copy, this frees the old buffer immediately.
      this.#data = new Uint32Array(this.#data.buffer.transfer(4 * Math.ceil(this.#end * 1.3)));
    }
    return block;
  }
}
