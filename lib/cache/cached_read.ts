/**
 * One value read from storage and shared by all who ask for it within a moment. It is read again
 * when it is too old, when another key is asked for (such as a new day), or after `drop` or
 * `forget`. A failed read is not kept. Reads run one after another, so that one may build on what
 * the last one left. Those who ask while one runs wait for that one, so that none queue up behind a
 * storage that does not answer.
 */
export class CachedRead<T> {
  readonly #maxAgeMs: number;
  #kept: { key: string; readAt: number; isRead: boolean; value: Promise<T> } | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #last: { key: string; value: T } | undefined;
  #revision = 0;
  #forgotten = 0;

  /** With a `maxAgeMs` of 0 a value is shared by those alone who ask while it is read. */
  constructor({ maxAgeMs }: { maxAgeMs: number }) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** The value under a key at `now` (ms), or what `read` gives. */
  get(key: string, now: number, read: () => Promise<T>): Promise<T> {
    const kept = this.#kept;
    const age = kept === undefined ? NaN : now - kept.readAt;
    const isYoung = age >= 0 && age < this.#maxAgeMs;
    if (kept?.key === key && (isYoung || !kept.isRead)) return kept.value;
    const value = this.#running.then(() => this.#read(key, read));
    const reading = { key, readAt: now, isRead: false, value };
    this.#kept = reading;
    this.#running = value.then(() => {
      reading.isRead = true;
    }, () => {
      if (this.#kept === reading) this.#kept = undefined;
    });
    return value;
  }

  async #read(key: string, read: () => Promise<T>): Promise<T> {
    const forgotten = this.#forgotten;
    const value = await read();
    if (this.#forgotten === forgotten) this.#last = { key, value };
    return value;
  }

  /**
   * The value that was read last, however old, for while storage fails; of `key` alone, if one is
   * given. Undefined if there is none, or if it was forgotten.
   */
  last(key?: string): T | undefined {
    return key === undefined || this.#last?.key === key ? this.#last?.value : undefined;
  }

  /** Makes the next `get` read again. */
  drop(): void {
    this.#kept = undefined;
    this.#revision++;
  }

  /**
   * Drops the last value too, because it may say what was hidden since. What is being read now may
   * say it as well, and does not become the last one.
   */
  forget(): void {
    this.drop();
    this.#last = undefined;
    this.#forgotten++;
  }

  /** Rises with each `drop` and `forget`: the revision of what is made of the value. */
  get revision(): number {
    return this.#revision;
  }
}

/**
 * `made`, or what was made `before` if they differ in `generatedAt` alone. So those who poll get
 * the same bytes, and a 304, until something changes.
 */
export function sameButTime<T extends { generatedAt: string }>(before: T | undefined, made: T): T {
  if (before === undefined) return made;
  const { generatedAt } = before;
  return JSON.stringify({ ...made, generatedAt }) === JSON.stringify(before) ? before : made;
}
