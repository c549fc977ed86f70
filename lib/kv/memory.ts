import type { KeyUses } from "./tx.ts";

/** How many entries a generation holds. */
const GENERATION = 10_000;

/** What was seen of a key; the value is one that JSON can say. */
type Known = Pick<Deno.KvEntry<unknown>, "value" | "versionstamp">;

/**
 * What this process saw last of some keys, for `Tx.recall`. It may be out of date: nothing may rest on it that
 * a commit does not check. Two generations: what is not asked for while one fills is forgotten with it. (To find
 * the oldest entry of one `Map` costs more the more were deleted from it.) What is known of a key is kept as one
 * string: a vote leaves three, each of which the collector moves twice, and objects would be four times as many.
 */
export class Memory {
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  /** What was seen last of a key (as JSON), or undefined. */
  known(id: string): Known | undefined {
    const young = this.#young.get(id);
    const text = young ?? this.#old.get(id);
    if (text === undefined) return undefined;
    if (young === undefined) this.#put(id, text);
    const [versionstamp, value] = JSON.parse(text);
    return { value, versionstamp };
  }

  /** Remembers entries that were read, and hands them back. */
  keep(entries: Deno.KvEntryMaybe<unknown>[]): Deno.KvEntryMaybe<unknown>[] {
    for (const { key, value, versionstamp } of entries) {
      if (versionstamp !== null) this.#put(JSON.stringify(key), textOf(versionstamp, value));
    }
    return entries;
  }

  /** Remembers what a commit made of keys that were recalled, or that are known from a reading of the same try. */
  learn(uses: KeyUses, versionstamp: string): void {
    for (const [id, { isRecalled, write, value }] of uses) {
      if (write === null || !(isRecalled || this.#young.has(id) || this.#old.has(id))) continue;
      if (write === "set") this.#put(id, textOf(versionstamp, value));
      else this.#delete(id);
    }
  }

  /** Forgets recalled keys, since something that rested on them did not hold; whether there were any. */
  forget(uses: KeyUses): boolean {
    let any = false;
    for (const [id, { isRecalled }] of uses) {
      if (!isRecalled) continue;
      any = true;
      this.#delete(id);
    }
    return any;
  }

  #put(id: string, text: string): void {
    this.#young.set(id, text);
    if (this.#young.size < GENERATION) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  #delete(id: string): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }
}

function textOf(versionstamp: string, value: unknown): string {
  return JSON.stringify([versionstamp, value]);
}
