/** True if id `a` sorts before id `b`; a strict total order. */
export type Before = (a: number, b: number) => boolean;

/** Up to this many changed ids are put in their places one by one; with more, all are sorted. */
const FEW = 50;
/** Up to this share of an order, members are sorted. With more, the whole order is filtered. */
const PART = 1 / 32;

/** Ids of entries in one order, sorted when they are read after a change. */
export class Order {
  #ids: readonly number[] = [];
  /** Ids that are new or whose sort values have changed since the last read. */
  readonly #moved = new Set<number>();
  #isStale = false;
  #revision = 0;
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

  /** All ids. Later changes make another array. */
  ids(): readonly number[] {
    if (this.#isStale || this.#moved.size > 0) {
      this.#ids = this.#sorted();
      this.#moved.clear();
      this.#isStale = false;
    }
    return this.#ids;
  }

  /** Adds an id, or notes that what it is sorted by has changed. */
  put(id: number): void {
    this.#moved.add(id);
    this.#revision++;
  }

  remove(id: number): void {
    this.#moved.delete(id);
    this.#ids = this.#ids.filter((other) => other !== id);
    this.#revision++;
  }

  /** Notes that the sort values of all ids have changed. */
  changeAll(): void {
    this.#isStale = true;
    this.#revision++;
  }

  /** Some of its ids, in this order. */
  pick(members: ReadonlySet<number>): number[] {
    const ids = this.ids();
    if (members.size > PART * ids.length) return ids.filter((id) => members.has(id));
    return [...members].sort(this.compare);
  }

  #sorted(): number[] {
    const ids = this.#ids.filter((id) => !this.#moved.has(id));
    if (this.#isStale || this.#moved.size > FEW) {
      return ids.concat([...this.#moved]).sort(this.compare);
    }
    for (const id of this.#moved) ids.splice(this.#placeOf(id, ids), 0, id);
    return ids;
  }

  /** The index of the first of some sorted ids that doesn't sort before the given one. */
  #placeOf(id: number, ids: readonly number[]): number {
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#before(ids[middle]!, id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
