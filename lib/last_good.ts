/**
 * The last good value of what storage tells, for when it fails. What was being read while it was
 * forgotten is not kept: it may say what must not be said any more.
 */
export class LastGood<T> {
  #value: T | undefined;
  #forgotten = 0;

  /** The value; undefined if there is none. */
  get value(): T | undefined {
    return this.#value;
  }

  /** Call it before a read, and what it returns with the value that was read. */
  begin(): (value: T) => void {
    const forgotten = this.#forgotten;
    return (value) => {
      if (this.#forgotten === forgotten) this.#value = value;
    };
  }

  /** Forgets the value. */
  forget(): void {
    this.#value = undefined;
    this.#forgotten++;
  }
}
