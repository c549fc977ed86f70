/** True if id `a` sorts before id `b`; a strict total order. */
export type Before = (a: number, b: number) => boolean;

/**
 * After this many shifts per member, stop repairing a nearly sorted order and sort it from scratch.
 */
const SHIFT_BUDGET = 4;

/** Ids of entries in one order. A change is a binary search and one memory move. */
export class Order {
  #ids: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  #length = 0;
  #revision = 0;
  /** By id, 1 for those that `pick` looks for. Cleared after use. */
  #marks = new Uint8Array(1024);
  readonly #before: Before;

  constructor(before: Before) {
    this.#before = before;
  }

  /** Increases when the order may have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** The order as a comparison function. */
  readonly compare = (a: number, b: number): number => this.#before(a, b) ? -1 : 1;

  /** All ids. Read them immediately: the next change moves them. */
  ids(): Uint32Array {
    return this.#ids.subarray(0, this.#length);
  }

  /** Appends an id out of order; `resort` must follow. */
  append(id: number): void {
    this.#put(id, this.#length);
  }

  insert(id: number): void {
    this.#put(id, this.#lowerBound(id, 0, this.#length));
  }

  /** Removes an id, found by its old sort values. */
  remove(id: number): void {
    const at = this.indexOf(id);
    this.#ids.copyWithin(at, at + 1, this.#length--);
    this.#revision++;
  }

  /** The index of an id. Its sort values must not have changed yet. */
  indexOf(id: number): number {
    return this.#lowerBound(id, 0, this.#length);
  }

  /** Moves the id at an index to its new place after a change. */
  move(from: number): void {
    const ids = this.#ids;
    const id = ids[from]!;
    if (from > 0 && this.#before(id, ids[from - 1]!)) {
      const to = this.#lowerBound(id, 0, from);
      ids.copyWithin(to + 1, to, from);
      ids[to] = id;
    } else {
      const to = this.#lowerBound(id, from + 1, this.#length) - 1;
      if (to === from) return;
      ids.copyWithin(from, from + 1, to + 1);
      ids[to] = id;
    }
    this.#revision++;
  }

  /** Replaces the order with these ids, by a number, highest first. Ties keep their order. */
  fill(ids: Uint32Array, numberOf: (id: number) => number): void {
    this.#length = 0;
    for (const id of Array.from(ids).sort((a, b) => numberOf(b) - numberOf(a))) this.append(id);
  }

  /**
   * Restores the order after any number of changes: one pass if it is nearly right. If the order is
   * by `keys` (by id, highest first), they tell most pairs apart in a few ns.
   */
  resort(keys?: Float64Array): void {
    const ids = this.#ids;
    const most = this.#length * SHIFT_BUDGET;
    let budget = most;
    for (let i = 1; i < this.#length; i++) {
      const id = ids[i]!;
      if (keys !== undefined && keys[ids[i - 1]!]! > keys[id]!) continue;
      if (!this.#before(id, ids[i - 1]!)) continue;
      let to = i;
      do {
        ids[to] = ids[to - 1]!;
        to--;
        budget--;
      } while (to > 0 && budget > 0 && this.#before(id, ids[to - 1]!));
      ids[to] = id;
      if (budget > 0) continue;
      // Ten times as fast as sorting a typed array with a comparison.
      ids.set(Array.from(this.ids()).sort(this.compare));
      break;
    }
    if (budget < most) this.#revision++;
  }

  /** Some of its ids (`size` of them), in this order: sorted if few, else found in one scan. */
  pick(members: Iterable<number>, size: number): Uint32Array {
    if (size * Math.log2(size + 1) * 8 < this.#length) {
      return Uint32Array.from([...members].sort(this.compare));
    }
    const marks = this.#marks;
    for (const id of members) marks[id] = 1;
    const picked = new Uint32Array(size + 1);
    let count = 0;
    // No branch depends on what a step finds, so each takes 1 ns.
    for (let i = 0; count < size; i++) {
      const id = this.#ids[i]!;
      picked[count] = id;
      count += marks[id]!;
      marks[id] = 0;
    }
    return picked.subarray(0, size);
  }

  #put(id: number, at: number): void {
    if (this.#length === this.#ids.length) {
      const grown = new Uint32Array(2 * this.#length);
      grown.set(this.#ids);
      this.#ids = grown;
    }
    if (id >= this.#marks.length) this.#marks = new Uint8Array(2 * id);
    this.#ids.copyWithin(at + 1, at, this.#length++);
    this.#ids[at] = id;
    this.#revision++;
  }

  /** First index in [low, high) whose id doesn't sort before the given one. */
  #lowerBound(id: number, low: number, high: number): number {
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#before(this.#ids[middle]!, id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
