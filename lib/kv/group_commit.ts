import { attempt, isRefusal } from "./attempt.ts";
import type { KvLike } from "./store.ts";
import type { Sealed } from "./tx.ts";

/**
 * How many transactions share one commit at most. Ten values at KV's limit of 64 KiB stay below what one
 * atomic operation may carry (800 KiB).
 */
const GROUP_MAX = 10;

/** A transaction with more checks or writes than this is committed alone. */
const PARTS_MAX = 10;

/** How many commits are under way at once; what arrives meanwhile waits, and is grouped. */
const UNDER_WAY_MAX = 2;

interface Waiting {
  sealed: Sealed;
  resolve(versionstamp: string | null): void;
  reject(error: unknown): void;
}

/**
 * Group commit: transactions that wait while others are being committed go to KV together, in one atomic
 * operation, since one durable commit costs about the same for ten as for one. Only transactions that touch
 * nothing of each other are joined. When the group's checks fail, or KV refuses a key or value of it, each is
 * committed alone, so that only those at fault are refused.
 */
export class GroupCommit {
  readonly #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(readonly kv: KvLike, readonly deadlineMs: number) {}

  /**
   * Commits a transaction, perhaps with others. Returns the versionstamp of what it wrote, or null when one of
   * its checks failed; throws as KV does.
   */
  commit(sealed: Sealed): Promise<string | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sealed, resolve, reject });
      this.#next();
    });
  }

  async #next(): Promise<void> {
    if (this.#underWay >= UNDER_WAY_MAX || this.#waiting.length === 0) return;
    this.#underWay++;
    const group = this.#takeGroup();
    try {
      if (group.length === 1 || !await this.#commitTogether(group)) {
        await Promise.all(group.map((member) => this.#commitAlone(member)));
      }
    } finally {
      this.#underWay--;
      this.#next();
    }
  }

  /** True when the group is settled: committed, or of an outcome that each member settles for itself. */
  async #commitTogether(group: Waiting[]): Promise<boolean> {
    try {
      const operation = this.kv.atomic();
      for (const { sealed } of group) {
        operation.check(...sealed.checks);
        for (const write of sealed.writes) write(operation);
      }
      const result = await attempt(() => operation.commit(), this.deadlineMs);
      if (!result.ok) return false;
      for (const { resolve } of group) resolve(result.versionstamp);
      return true;
    } catch (error) {
      // What KV refuses of one member must not fail the others.
      if (isRefusal(error)) return false;
      for (const { reject } of group) reject(error);
      return true;
    }
  }

  async #commitAlone({ sealed, resolve, reject }: Waiting): Promise<void> {
    try {
      const result = await attempt(() => sealed.operation.commit(), this.deadlineMs);
      resolve(result.ok ? result.versionstamp : null);
    } catch (error) {
      reject(error);
    }
  }

  /** The first that waits, and those behind it that touch nothing of the others. */
  #takeGroup(): Waiting[] {
    const group = [this.#waiting.shift()!];
    const touched = new Touched(group[0]!.sealed);
    if (!isSmall(group[0]!.sealed)) return group;
    for (let i = 0; i < this.#waiting.length && group.length < GROUP_MAX;) {
      const { sealed } = this.#waiting[i]!;
      if (isSmall(sealed) && !touched.meets(sealed)) {
        touched.add(sealed);
        group.push(...this.#waiting.splice(i, 1));
      } else i++;
    }
    return group;
  }
}

/** The keys of a group: sums may meet sums, anything else of one key keeps two transactions apart. */
class Touched {
  readonly #checked = new Set<string>();
  readonly #written = new Set<string>();
  readonly #summed = new Set<string>();

  constructor(first: Sealed) {
    this.add(first);
  }

  add({ keys }: Sealed): void {
    for (const key of keys.checked) this.#checked.add(key);
    for (const key of keys.written) this.#written.add(key);
    for (const key of keys.summed) this.#summed.add(key);
  }

  meets({ keys }: Sealed): boolean {
    const { checked, written, summed } = keys;
    return some(written, this.#checked, this.#written, this.#summed) ||
      some(summed, this.#checked, this.#written) ||
      some(checked, this.#written, this.#summed);
  }
}

function some(keys: Iterable<string>, ...sets: Set<string>[]): boolean {
  for (const key of keys) {
    if (sets.some((set) => set.has(key))) return true;
  }
  return false;
}

function isSmall({ checks, writes }: Sealed): boolean {
  return checks.length <= PARTS_MAX && writes.length <= PARTS_MAX;
}
