/** Whether slot `a` stands before slot `b`; a strict total order. */
export type Before = (a: number, b: number) => boolean;

/** Shifts per member beyond which an insertion sort gives way to a merge sort. */
const SHIFT_BUDGET = 4;

/**
 * Slots kept in one order in a flat array. A single change is a binary search and one memory move;
 * a change of every key (time passing under the hot score) is one pass over a nearly sorted array.
 */
export class SortedSlots {
  #slots: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  #length = 0;
  #bulk = false;
  #revision = 0;
  readonly #before: Before;

  constructor(before: Before) {
    this.#before = before;
  }

  /** Rises when the order may have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** The order as a comparison for `Array.sort`. */
  readonly compare = (a: number, b: number): number => this.#before(a, b) ? -1 : 1;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#slots[index]!;
  }

  /** Starts a bulk load: members are appended unsorted until `resort`. */
  startBulk(): void {
    this.#bulk = true;
  }

  insert(slot: number): void {
    this.#revision++;
    if (this.#length === this.#slots.length) {
      const grown = new Uint32Array(this.#length * 2);
      grown.set(this.#slots);
      this.#slots = grown;
    }
    const at = this.#bulk ? this.#length : this.#lowerBound(slot, 0, this.#length);
    this.#slots.copyWithin(at + 1, at, this.#length++);
    this.#slots[at] = slot;
  }

  /** Removes a slot whose keys are unchanged since it was placed. */
  remove(slot: number): void {
    this.#revision++;
    const at = this.indexOf(slot);
    this.#slots.copyWithin(at, at + 1, this.#length--);
  }

  /** The index of a slot whose keys are unchanged since it was placed. */
  indexOf(slot: number): number {
    return this.#bulk
      ? this.#slots.subarray(0, this.#length).indexOf(slot)
      : this.#lowerBound(slot, 0, this.#length);
  }

  /** Puts the slot at `from` where its changed keys belong. */
  replace(from: number): void {
    if (this.#bulk) return;
    this.#revision++;
    const slots = this.#slots;
    const slot = slots[from]!;
    if (from > 0 && this.#before(slot, slots[from - 1]!)) {
      const to = this.#lowerBound(slot, 0, from);
      slots.copyWithin(to + 1, to, from);
      slots[to] = slot;
    } else {
      const to = this.#lowerBound(slot, from + 1, this.#length) - 1;
      slots.copyWithin(from, from + 1, to + 1);
      slots[to] = slot;
    }
  }

  /** Restores the order after any number of keys changed; cheap when it is nearly right. */
  resort(): void {
    this.#bulk = false;
    const slots = this.#slots;
    const before = this.#before;
    const most = this.#length * SHIFT_BUDGET;
    let budget = most;
    for (let i = 1; i < this.#length; i++) {
      const slot = slots[i]!;
      if (!before(slot, slots[i - 1]!)) continue;
      let to = i;
      do {
        slots[to] = slots[to - 1]!;
        to--;
        budget--;
      } while (to > 0 && budget > 0 && before(slot, slots[to - 1]!));
      slots[to] = slot;
      if (budget <= 0) return this.#mergeSort();
    }
    if (budget < most) this.#revision++;
  }

  /** First index in [low, high) whose slot does not stand before the given one. */
  #lowerBound(slot: number, low: number, high: number): number {
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#before(this.#slots[middle]!, slot)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Bottom-up merge sort: the built-in sort with a comparison function costs four times as much. */
  #mergeSort(): void {
    this.#revision++;
    const length = this.#length;
    const before = this.#before;
    let source = this.#slots;
    let target = new Uint32Array(source.length);
    for (let width = 1; width < length; width *= 2) {
      for (let start = 0; start < length; start += 2 * width) {
        const middle = Math.min(start + width, length);
        const end = Math.min(start + 2 * width, length);
        let left = start;
        let right = middle;
        for (let i = start; i < end; i++) {
          const takeRight = left === middle ||
            (right < end && before(source[right]!, source[left]!));
          target[i] = takeRight ? source[right++]! : source[left++]!;
        }
      }
      [source, target] = [target, source];
    }
    this.#slots = source;
  }
}
