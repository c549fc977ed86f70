/** Whether slot `a` stands before slot `b`; a strict total order. */
export type Before = (a: number, b: number) => boolean;

/**
 * Until when (ms since the epoch) slot `a`, which stands before slot `b`, is sure to do so while
 * only time passes.
 */
export type Lasts = (a: number, b: number) => number;

/** The largest second that fits: such a pair keeps its order for good. */
const FOR_GOOD = 2 ** 32 - 1;

/** After this many shifts per member the insertion sort gives up and a merge sort takes over. */
const SHIFT_BUDGET = 4;

/**
 * Slots kept in one order, in a flat array. One change is a binary search and one move of memory.
 * When every key changes a little, one pass over the nearly sorted array mends it.
 *
 * An order that time changes is given `lasts`. It then keeps, for each two neighbours, until when
 * they stand as they do, and `advance` looks only at those whose time is over. This is a kinetic
 * sorted list (Basch, Guibas, Hershberger: Data Structures for Mobile Data, 1999).
 */
export class SortedSlots {
  #slots: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  #length = 0;
  #beyond = 0;
  #bulk = false;
  #revision = 0;
  readonly #before: Before;
  readonly #lasts: Lasts | undefined;
  /** By index, until which second (since the epoch) a slot and its successor keep their order. */
  #until: Uint32Array<ArrayBuffer> = new Uint32Array(0);

  constructor(before: Before, lasts?: Lasts) {
    this.#before = before;
    this.#lasts = lasts;
    if (lasts !== undefined) this.#until = new Uint32Array(this.#slots.length);
  }

  /** Rises when the order may have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** The order as a comparison function for `Array.sort`. */
  readonly compare = (a: number, b: number): number => this.#before(a, b) ? -1 : 1;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#slots[index]!;
  }

  /** All slots in their order. They must be read at once, for the next change moves them. */
  slots(): Uint32Array {
    return this.#slots.subarray(0, this.#length);
  }

  /** A number above all slots. */
  get beyond(): number {
    return this.#beyond;
  }

  /** Starts a bulk load: members are appended unsorted until `resort`. */
  startBulk(): void {
    this.#bulk = true;
  }

  insert(slot: number): void {
    this.#revision++;
    this.#beyond = Math.max(this.#beyond, slot + 1);
    if (this.#length === this.#slots.length) {
      this.#slots = doubled(this.#slots);
      this.#until = doubled(this.#until);
    }
    const at = this.#bulk ? this.#length : this.#lowerBound(slot, 0, this.#length);
    this.#move(at + 1, at, this.#length++);
    this.#slots[at] = slot;
    this.#renewTimes(at - 1, at);
  }

  /** Removes a slot whose keys are unchanged since it was placed. */
  remove(slot: number): void {
    this.#revision++;
    const at = this.indexOf(slot);
    this.#move(at, at + 1, this.#length--);
    this.#renewTimes(at - 1);
  }

  /** The index of a slot whose keys are unchanged since it was placed. */
  indexOf(slot: number): number {
    return this.#bulk
      ? this.#slots.subarray(0, this.#length).indexOf(slot)
      : this.#lowerBound(slot, 0, this.#length);
  }

  /** Moves the slot at index `from` to where its changed keys belong. */
  replace(from: number): void {
    if (this.#bulk) return;
    this.#revision++;
    const slots = this.#slots;
    const slot = slots[from]!;
    if (from > 0 && this.#before(slot, slots[from - 1]!)) {
      const to = this.#lowerBound(slot, 0, from);
      this.#move(to + 1, to, from);
      slots[to] = slot;
      this.#renewTimes(to - 1, to, from);
    } else {
      const to = this.#lowerBound(slot, from + 1, this.#length) - 1;
      this.#move(from, from + 1, to + 1);
      slots[to] = slot;
      this.#renewTimes(from - 1, to - 1, to);
    }
  }

  /**
   * Restores the order at `now` (ms), which must not be before the last call, if only time has
   * changed the keys.
   */
  advance(now: number): void {
    if (this.#bulk) return;
    const second = Math.max(0, Math.floor(now / 1000));
    const slots = this.#slots;
    const until = this.#until;
    let budget = this.#length;
    for (let i = 0; i + 1 < this.#length;) {
      if (until[i]! > second) {
        i++;
      } else if (!this.#before(slots[i + 1]!, slots[i]!)) {
        this.#renewTimes(i++);
      } else if (budget-- === 0) {
        return this.resort();
      } else {
        this.#revision++;
        [slots[i], slots[i + 1]] = [slots[i + 1]!, slots[i]!];
        this.#renewTimes(i);
        until[i + 1] = 0;
        if (i > 0) until[--i] = 0;
      }
    }
  }

  /** Restores the order after any number of keys changed. Cheap when the order is nearly right. */
  resort(): void {
    this.#bulk = false;
    this.#sort();
    for (let i = 0; i < this.#until.length; i++) this.#renewTimes(i);
  }

  #sort(): void {
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

  /** Moves the slots from index `from` up to `end` to index `to`, and their times with them. */
  #move(to: number, from: number, end: number): void {
    this.#slots.copyWithin(to, from, end);
    this.#until.copyWithin(to, from, end);
  }

  /** Works out the times of indexes whose successors have changed. */
  #renewTimes(...indexes: number[]): void {
    const lasts = this.#lasts;
    if (lasts === undefined || this.#bulk) return;
    for (const i of indexes) {
      if (i < 0 || i + 1 >= this.#length) continue;
      const second = lasts(this.#slots[i]!, this.#slots[i + 1]!) / 1000;
      this.#until[i] = Math.min(Math.max(0, second), FOR_GOOD);
    }
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

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(array.length * 2);
  grown.set(array);
  return grown;
}
