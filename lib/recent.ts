/**
 * One value read from storage, shared by all who ask within a moment: it is read again when it is too old, when
 * another key is asked for (a new day), or once it was dropped (a write of this process). A failed read is not kept.
 * Reads run one after another, so that they may build on what the last one left.
 */
export class Recent<T> {
  readonly #maxAgeMs: number;
  #kept: { key: string; readAt: number; value: Promise<T> } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(maxAgeMs = 1_000) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** The value under a key at `now` (ms), or what `read` gives. */
  get(key: string, now: number, read: () => Promise<T>): Promise<T> {
    const kept = this.#kept;
    const age = kept === undefined ? NaN : now - kept.readAt;
    if (kept?.key === key && age >= 0 && age < this.#maxAgeMs) return kept.value;
    const reading = { key, readAt: now, value: this.#last.then(read) };
    this.#kept = reading;
    this.#last = reading.value.catch(() => {
      if (this.#kept === reading) this.#kept = undefined;
    });
    return reading.value;
  }

  /** Has the next one who asks read again. */
  drop(): void {
    this.#kept = undefined;
  }
}
