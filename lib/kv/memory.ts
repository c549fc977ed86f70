import type { KeyUses } from "./tx.ts";

/** How many entries there is room for; a power of two. */
const PLACES = 8_192;

/** What was seen of a key. Its value must be one that JSON can express. */
type Known = Pick<Deno.KvEntry<unknown>, "value" | "versionstamp">;

/**
 * What this process last saw of some keys, for `Tx.recall`. It may be out of date, so nothing may
 * rest on it that a commit does not check.
 *
 * Each key hashes to one place, and a newer key takes the place of an older one that hashes to it.
 * This is no `Map` because a `Map` costs several times as much: finding its oldest entry is slow
 * once others were deleted, growing it halts everything for 2 ms at some thousand entries, and V8
 * copies each string that is looked up into its table of names. What is known of a key is kept as
 * one string because the garbage collector moves every object twice.
 */
export class Memory {
  readonly #ids = new Array<string>(PLACES).fill("");
  readonly #texts = new Array<string>(PLACES).fill("");

  /** What was last seen of a key, which is given as JSON; undefined if nothing is known. */
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

  /**
   * Takes in what a commit wrote: to keys that are to be remembered, and to keys that are known
   * already.
   */
  learn(uses: KeyUses, versionstamp: string): void {
    for (const { id, isRemembered, write, value } of uses) {
      if (write === null || !(isRemembered || this.#ids[placeOf(id)] === id)) continue;
      if (write === "set") this.#put(id, versionstamp, value);
      else this.#delete(id);
    }
  }

  /**
   * Forgets the keys that a transaction recalled, since something that rested on them did not hold.
   * Says whether there were any.
   */
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

/**
 * The place of a key: 32-bit FNV-1a (RFC 9923) over UTF-16 units, folded to the range of places.
 */
function placeOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 16)) & (PLACES - 1);
}
