import type { KeyUses } from "./tx.ts";

/** For how many entries there is room; a power of two. */
const PLACES = 8_192;

/** What was seen of a key; the value is one that JSON can say. */
type Known = Pick<Deno.KvEntry<unknown>, "value" | "versionstamp">;

/**
 * What this process saw last of some keys, for `Tx.recall`. It may be out of date: nothing may rest on it that
 * a commit does not check. Each key has its place, which the next one with the same place takes from it. (A `Map`
 * costs several times as much: to find its oldest entry once others were deleted, to grow, which halts everything
 * for 2 ms at some thousand entries, and in V8's table of names, into which each string that is looked up is copied.)
 * What is known of a key is kept as one string, since the collector moves each object of it twice.
 */
export class Memory {
  readonly #ids = new Array<string>(PLACES).fill("");
  readonly #texts = new Array<string>(PLACES).fill("");

  /** What was seen last of a key (as JSON), or undefined. */
  known(id: string): Known | undefined {
    const place = placeOf(id);
    if (this.#ids[place] !== id) return undefined;
    const [versionstamp, value] = JSON.parse(this.#texts[place]!);
    return { value, versionstamp };
  }

  /** Remembers entries that were read, and hands them back. */
  keep(entries: Deno.KvEntryMaybe<unknown>[]): Deno.KvEntryMaybe<unknown>[] {
    for (const { key, value, versionstamp } of entries) {
      if (versionstamp !== null) this.#put(JSON.stringify(key), versionstamp, value);
    }
    return entries;
  }

  /** Remembers what a commit made of keys that are to be remembered, or that are known already. */
  learn(uses: KeyUses, versionstamp: string): void {
    for (const { id, isRemembered, write, value } of uses) {
      if (write === null || !(isRemembered || this.#ids[placeOf(id)] === id)) continue;
      if (write === "set") this.#put(id, versionstamp, value);
      else this.#delete(id);
    }
  }

  /** Forgets recalled keys, since something that rested on them did not hold; whether there were any. */
  forget(uses: KeyUses): boolean {
    let any = false;
    for (const { id, isRecalled } of uses) {
      if (!isRecalled) continue;
      any = true;
      this.#delete(id);
    }
    return any;
  }

  #put(id: string, versionstamp: string, value: unknown): void {
    const place = placeOf(id);
    this.#ids[place] = id;
    this.#texts[place] = JSON.stringify([versionstamp, value]);
  }

  #delete(id: string): void {
    const place = placeOf(id);
    if (this.#ids[place] !== id) return;
    this.#ids[place] = "";
    this.#texts[place] = "";
  }
}

/** FNV-1a of 32 bits (RFC 9923) over UTF-16 units, folded to the number of a place. */
function placeOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 16)) & (PLACES - 1);
}
