/** How many entries a process remembers; the oldest go first. */
const MAX_ENTRIES = 10_000;

type Entry = Deno.KvEntryMaybe<unknown>;

/**
 * What this process saw last of some keys, for `Tx.recall`. It may be out of date: nothing may rest on it that
 * a commit does not check.
 */
export class Memory {
  readonly #entries = new Map<string, Entry>();

  /** The entry seen last, or undefined. */
  entry(key: Deno.KvKey): Entry | undefined {
    return this.#entries.get(JSON.stringify(key));
  }

  /** Remembers entries that were read, and hands them back. */
  keep(entries: Entry[]): Entry[] {
    for (const entry of entries) {
      if (entry.versionstamp !== null) this.#put(JSON.stringify(entry.key), entry);
    }
    return entries;
  }

  /** Remembers what a commit wrote. */
  learn(values: Map<string, unknown>, versionstamp: string): void {
    for (const [id, value] of values) {
      if (value === undefined) this.#entries.delete(id);
      else this.#put(id, { key: JSON.parse(id), value, versionstamp });
    }
  }

  /** Forgets keys, since something that rested on them did not hold; whether there were any. */
  forget(ids: Set<string>): boolean {
    for (const id of ids) this.#entries.delete(id);
    return ids.size > 0;
  }

  #put(id: string, entry: Entry): void {
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    if (this.#entries.size > MAX_ENTRIES) {
      this.#entries.delete(this.#entries.keys().next().value!);
    }
  }
}
