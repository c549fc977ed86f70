/** True if id `a` sorts before id `b`; a strict total order. */
export type Before = (a: number, b: number) => boolean;

/** Ids of entries in one order, sorted again when they are read after a change. */
export class Order {
  readonly #ids: number[] = [];
  #isSorted = true;
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

  /** All ids. Read them immediately: the next change moves them. */
  ids(): readonly number[] {
    // What is nearly sorted takes little more than a comparison each.
    if (!this.#isSorted) this.#ids.sort(this.compare);
    this.#isSorted = true;
    return this.#ids;
  }

  insert(id: number): void {
    this.#ids.push(id);
    this.changed();
  }

  remove(id: number): void {
    this.#ids.splice(this.#ids.indexOf(id), 1);
    this.#revision++;
  }

  /** Notes that what it sorts by has changed. */
  changed(): void {
    this.#isSorted = false;
    this.#revision++;
  }

  /** Some of its ids, in this order. */
  pick(members: Iterable<number>): number[] {
    return [...members].sort(this.compare);
  }
}
