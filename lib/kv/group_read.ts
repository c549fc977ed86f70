import type { Asker } from "./attempt.ts";
import type { KvLike } from "./store.ts";

/** The most keys that KV reads in one call. */
export const GET_MANY_MAX = 10;

/**
 * How many calls run at once. Reads that arrive while all of them are busy wait, and then share
 * calls.
 */
const UNDER_WAY_MAX = 4;

interface Waiting {
  keys: readonly Deno.KvKey[];
  resolve(entries: Deno.KvEntryMaybe<unknown>[]): void;
  reject(error: unknown): void;
}

/**
 * Joins small reads into shared calls while others are under way, because a call costs more than
 * the keys in it. The keys of one read always stay in one call, so each read is a snapshot of its
 * keys.
 */
export class GroupRead {
  readonly #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(readonly kv: KvLike, readonly asker: Asker) {}

  /** Reads at most ten keys, strongly consistent; throws as KV does. */
  getMany(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ keys, resolve, reject });
      this.#next();
    });
  }

  async #next(): Promise<void> {
    if (this.#underWay >= UNDER_WAY_MAX || this.#waiting.length === 0) return;
    this.#underWay++;
    const group = this.#takeGroup();
    try {
      const keys = group.flatMap((read) => read.keys);
      const entries = await this.asker.ask(
        () => this.kv.getMany<unknown[]>(keys) as Promise<Deno.KvEntryMaybe<unknown>[]>,
      );
      let at = 0;
      for (const { keys, resolve } of group) resolve(entries.slice(at, at += keys.length));
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.#underWay--;
      this.#next();
    }
  }

  #takeGroup(): Waiting[] {
    let count = 0;
    let size = 0;
    for (const { keys } of this.#waiting) {
      if (count > 0 && size + keys.length > GET_MANY_MAX) break;
      size += keys.length;
      count++;
    }
    return this.#waiting.splice(0, count);
  }
}
