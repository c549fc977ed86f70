/** How many entries a generation holds. */
const GENERATION = 10_000;

type Entry = Deno.KvEntryMaybe<unknown>;

/**
 * What this process saw last of some keys, for `Tx.recall`. It may be out of date: nothing may rest on it that
 * a commit does not check. Two generations: what is not asked for while one fills is forgotten with it. (To find
 * the oldest entry of one `Map` costs more the more were deleted from it.)
 */
export class Memory {
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();

  /** The entry of a key (as JSON) that was seen last, or undefined. */
  entry(id: string): Entry | undefined {
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const old = this.#old.get(id);
    if (old !== undefined) this.#put(id, old);
    return old;
  }

  /** Remembers entries that were read, and hands them back. */
  keep(entries: Entry[]): Entry[] {
    for (const entry of entries) {
      if (entry.versionstamp !== null) this.#put(JSON.stringify(entry.key), entry);
    }
    return entries;
  }

  /** Remembers what a commit wrote. */
  learn(values: Map<string, { key: Deno.KvKey; value: unknown }>, versionstamp: string): void {
    for (const [id, { key, value }] of values) {
      if (value === undefined) this.#delete(id);
      else this.#put(id, { key, value, versionstamp });
    }
  }

  /** Forgets keys, since something that rested on them did not hold; whether there were any. */
  forget(ids: Set<string>): boolean {
    for (const id of ids) this.#delete(id);
    return ids.size > 0;
  }

  #put(id: string, entry: Entry): void {
    this.#young.set(id, entry);
    if (this.#young.size < GENERATION) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  #delete(id: string): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }
}
