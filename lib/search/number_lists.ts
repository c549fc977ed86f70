/** Lists of numbers, packed end to end in as few bytes as needed (7 bits per byte). */
export class NumberLists {
  #bytes = new Uint8Array(1 << 12);
  readonly #ends: number[] = [];

  /** Adds a list. Its index is the number of lists before it. */
  push(numbers: readonly number[]): void {
    let end = this.#ends.at(-1) ?? 0;
    const most = end + 5 * numbers.length;
    if (most > this.#bytes.length) {
      // Unlike a copy, this frees the old buffer immediately.
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(Math.ceil(most * 1.3)));
    }
    for (let i = 0; i < numbers.length; i++) {
      let number = numbers[i]!;
      for (; number > 127; number >>>= 7) this.#bytes[end++] = number & 127 | 128;
      this.#bytes[end++] = number;
    }
    this.#ends.push(end);
  }

  /** The list at an index. */
  at(place: number): number[] {
    const numbers: number[] = [];
    const end = this.#ends[place]!;
    for (let i = place === 0 ? 0 : this.#ends[place - 1]!; i < end; i++) {
      let number = this.#bytes[i]! & 127;
      for (let shift = 7; this.#bytes[i]! > 127; shift += 7) {
        number |= (this.#bytes[++i]! & 127) << shift;
      }
      numbers.push(number);
    }
    return numbers;
  }
}
