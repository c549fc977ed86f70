/**
 * Counts work that is under way. A `Set` of promises would do, but V8 moves a set to a new table
 * every few additions when as many entries are deleted, and the old table refers to the new one.
 * Once an old table is in the old generation, everything that later tables held, such as whole
 * responses, survives the collections of the young generation.
 */
export class UnderWay {
  #count = 0;
  #batch = new Batch();
  /** Resolves when all that was under way at the last call of `settled` has settled. */
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
