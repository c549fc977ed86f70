import { attempt, isRefusal, track } from "./attempt.ts";
import { storeKeys } from "./keys.ts";
import type { KvLike } from "./store.ts";
import { addSum, type Sealed, type Sum } from "./tx.ts";

/** How many transactions share one commit at most, and how many checks: the latter is KV's own limit. */
const GROUP_MAX = 20;
const CHECKS_MAX = 100;

/** A transaction with more writes than this is committed alone: what KV takes at once is 800 KiB. */
const WRITES_MAX = 10;

const REVISION = JSON.stringify(storeKeys.revision);

interface Waiting {
  sealed: Sealed;
  resolve(versionstamp: string | null): void;
  reject(error: unknown): void;
}

/**
 * Group commit: transactions that wait while others are being committed go to KV together, in one atomic
 * operation, since one durable commit costs about the same for ten as for one. Only transactions that touch
 * nothing of each other are joined; what they add to one counter becomes one sum. When the group's checks
 * fail, or KV refuses a key or value of it, each is committed alone, so that only those at fault are refused.
 */
export class GroupCommit {
  readonly #waiting: Waiting[] = [];
  readonly #pauses: (() => void)[] = [];
  /** One commit is under way at a time: KV has one thread, and what waits for it here goes in fewer commits. */
  #busy = false;
  #revisions = 0;

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

  /**
   * Runs `read` while no commit is under way, with what is known to have been added to the revision from here:
   * what KV holds beyond that came from elsewhere (or is of an outcome that was unknown here).
   */
  async paused<T>(read: (revisions: number) => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#pauses.push(resolve);
      this.#next();
    });
    try {
      return await read(this.#revisions);
    } finally {
      this.#busy = false;
      this.#next();
    }
  }

  #next(): void {
    if (this.#busy) return;
    const pause = this.#pauses.shift();
    this.#busy = pause !== undefined || this.#waiting.length > 0;
    if (pause !== undefined) pause();
    else if (this.#busy) this.#commitNext();
  }

  async #commitNext(): Promise<void> {
    const group = this.#takeGroup();
    const settle = group.length > 1 ? await this.#commitTogether(group) : null;
    if (settle === null) await Promise.all(group.map((member) => this.#commitAlone(member)));
    this.#busy = false;
    // The next commit begins before those that waited for this one go on with what they have to do.
    this.#next();
    if (settle !== null) group.forEach(settle);
  }

  /** How the group is settled: committed, or of an outcome that each member settles for itself; else null. */
  async #commitTogether(group: Waiting[]): Promise<((member: Waiting) => void) | null> {
    try {
      const versionstamp = await this.#commit(group.map(({ sealed }) => sealed));
      return versionstamp === null ? null : ({ resolve }) => resolve(versionstamp);
    } catch (error) {
      // What KV refuses of one member must not fail the others.
      return isRefusal(error) ? null : ({ reject }) => reject(error);
    }
  }

  async #commitAlone({ sealed, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await this.#commit([sealed]));
    } catch (error) {
      reject(error);
    }
  }

  async #commit(group: Sealed[]): Promise<string | null> {
    const sums = foldedSums(group);
    const operation = toOperation(this.kv, group, sums);
    const result = await attempt(() => track(group, operation.commit()), this.deadlineMs);
    if (!result.ok) return null;
    this.#revisions += Number(sums.get(REVISION)?.amount ?? 0n);
    return result.versionstamp;
  }

  /** The first that waits, and those behind it that touch nothing of the others. */
  #takeGroup(): Waiting[] {
    const first = this.#waiting.shift()!;
    const group = [first];
    const touched = new Touched();
    touched.add(first.sealed);
    if (first.sealed.writes.length > WRITES_MAX) return group;
    for (let i = 0; i < this.#waiting.length && group.length < GROUP_MAX;) {
      const { sealed } = this.#waiting[i]!;
      if (sealed.writes.length <= WRITES_MAX && touched.hasRoom(sealed) && !touched.meets(sealed)) {
        touched.add(sealed);
        group.push(...this.#waiting.splice(i, 1));
      } else i++;
    }
    return group;
  }
}

/** The atomic operation of transactions that touch nothing of each other. */
export function toOperation(
  kv: KvLike,
  group: readonly Sealed[],
  sums: ReadonlyMap<string, Sum> = foldedSums(group),
): Deno.AtomicOperation {
  const operation = kv.atomic();
  const checked = new Map(group.flatMap(({ checks }) => [...checks]));
  operation.check(...checked.values());
  for (const { writes } of group) {
    for (const write of writes) write(operation);
  }
  for (const { key, amount } of sums.values()) operation.sum(key, amount);
  return operation;
}

function foldedSums(group: readonly Sealed[]): ReadonlyMap<string, Sum> {
  if (group.length === 1) return group[0]!.sums;
  const folded = new Map<string, Sum>();
  for (const { sums } of group) {
    for (const [id, sum] of sums) addSum(folded, id, sum);
  }
  return folded;
}

/**
 * The keys of a group. Sums may meet sums, and checks of one versionstamp may meet; anything else of one key
 * keeps two transactions apart.
 */
class Touched {
  readonly #checked = new Map<string, string | null>();
  readonly #written = new Set<string>();
  readonly #summed = new Set<string>();

  add({ checks, written, sums }: Sealed): void {
    for (const [id, { versionstamp }] of checks) this.#checked.set(id, versionstamp);
    for (const id of written) this.#written.add(id);
    for (const id of sums.keys()) this.#summed.add(id);
  }

  hasRoom({ checks }: Sealed): boolean {
    return this.#checked.size + checks.size <= CHECKS_MAX;
  }

  meets({ checks, written, sums }: Sealed): boolean {
    for (const id of written) {
      if (this.#checked.has(id) || this.#written.has(id) || this.#summed.has(id)) return true;
    }
    for (const id of sums.keys()) {
      if (this.#checked.has(id) || this.#written.has(id)) return true;
    }
    for (const [id, { versionstamp }] of checks) {
      if (this.#written.has(id) || this.#summed.has(id)) return true;
      if (this.#checked.has(id) && this.#checked.get(id) !== versionstamp) return true;
    }
    return false;
  }
}
