/**
 * Counts work that is under way. A `Set` of promises would do, but V8 moves a set to a new table every few additions
 * where as many are deleted, and the old table refers to the new one: once one is in the old generation, each later
 * one survives the collections of the young, with all that it last held, such as whole responses.
 */
export class UnderWay {
  /** Of all batches. */
  #count = 0;
  #batch = new Batch();
  /** Settles with all batches before this one. */
  #before: Promise<unknown> = Promise.resolve();

  /** How many promises have yet to settle. */
  get count(): number {
    return this.#count;
  }

  /** Counts a promise until it settles. */
  add(work: Promise<unknown>): void {
    const batch = this.#batch;
    this.#count++;
    batch.open++;
    const done = () => {
      this.#count--;
      if (--batch.open === 0) batch.settle();
    };
    work.then(done, done);
  }

  /** Resolves when all that is under way now has settled; what is added later is not waited for. */
  settled(): Promise<unknown> {
    const batch = this.#batch;
    this.#batch = new Batch();
    const own = batch.open === 0 ? null : new Promise<void>((resolve) => batch.settle = resolve);
    return this.#before = Promise.all([this.#before, own]);
  }
}

/** What was added between two calls of `settled`. */
class Batch {
  open = 0;
  settle: () => void = () => {};
}
