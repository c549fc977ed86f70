/**
 * One value read from storage and shared by all who ask for it within a moment. It is read again
 * when it is too old, when another key is asked for (such as a new day), or after `drop` (a write
 * of this process). A failed read is not kept. Reads run one after another, so that one may build
 * on what the last one left. Whoever asks while one runs waits for that one, so that none queue up
 * behind a storage that does not answer.
 */
export class Recent<T> {
  readonly #maxAgeMs: number;
  #kept: { key: string; readAt: number; isRead: boolean; value: Promise<T> } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(maxAgeMs = 1_000) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** The value under a key at `now` (ms), or what `read` gives. */
  get(key: string, now: number, read: () => Promise<T>): Promise<T> {
    const kept = this.#kept;
    const age = kept === undefined ? NaN : now - kept.readAt;
    const isFresh = age >= 0 && age < this.#maxAgeMs;
    if (kept?.key === key && (isFresh || !kept.isRead)) return kept.value;
    const reading = { key, readAt: now, isRead: false, value: this.#last.then(read) };
    this.#kept = reading;
    this.#last = reading.value.then(() => {
      reading.isRead = true;
    }, () => {
      if (this.#kept === reading) this.#kept = undefined;
    });
    return reading.value;
  }

  /** Makes the next `get` read again. */
  drop(): void {
    this.#kept = undefined;
  }
}
