/**
 * One value read from storage and shared by all callers for a moment. It is read again when it is
 * too old, when another key is requested (such as a new day), or after `drop` or `forget`. A failed
 * read is not kept. Reads run one at a time, so each can build on the last. Callers during a read
 * wait for it, so none queue up behind storage that doesn't answer.
 */
export class CachedRead<T> {
  readonly #maxAgeMs: number;
  #kept: { key: string; readAt: number; isRead: boolean; value: Promise<T> } | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #last: { key: string; value: T } | undefined;
  #revision = 0;
  #forgotten = 0;

  /** With a `maxAgeMs` of 0, only callers during the read share a value. */
  constructor({ maxAgeMs }: { maxAgeMs: number }) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** The value for a key at `now` (ms), or the result of `read`. */
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
   * The last value, however old, for when storage fails; only for `key`, if given. Undefined if
   * there is none or it was forgotten.
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
   * Also drops the last value, since it may contain something hidden later. A read in progress may
   * too, so its result is not kept as the last value.
   */
  forget(): void {
    this.drop();
    this.#last = undefined;
    this.#forgotten++;
  }

  /** Increases with each `drop` and `forget`: the revision for anything made from the value. */
  get revision(): number {
    return this.#revision;
  }
}

/**
 * Returns `before` if it differs from `made` only in `generatedAt`. Pollers then get the same
 * bytes, and a 304, until something changes.
 */
export function sameButTime<T extends { generatedAt: string }>(before: T | undefined, made: T): T {
  if (before === undefined) return made;
  const { generatedAt } = before;
  return JSON.stringify({ ...made, generatedAt }) === JSON.stringify(before) ? before : made;
}
