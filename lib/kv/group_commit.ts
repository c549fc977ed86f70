import type { Asker } from "./attempt.ts";
import { storeKeys } from "./keys.ts";
import { isRefusal } from "./retry.ts";
import type { KvLike } from "./store.ts";
import { keyId, type KeyUse, type KeyUses, type Marker, type Sealed } from "./tx.ts";

/** The most transactions in one commit. */
const GROUP_MAX = 32;
/** The most checks in one operation on an embedded KV. */
export const CHECKS_MAX = 100;
/** The same on a KV server. No transaction may need more, including the check of its marker. */
export const SERVER_CHECKS_MAX = 10;
/** A transaction with more writes than this commits alone: KV's limit is 800 KiB per operation. */
const WRITES_MAX = 10;

const REVISION = keyId(storeKeys.revision);

interface Waiting {
  sealed: Sealed;
  alone: boolean;
  resolve(landed: boolean): void;
  reject(error: unknown): void;
}

/** Transactions that commit together, and how they use each key. */
type Group = { members: readonly Waiting[]; uses: KeyUses };

/**
 * Group commit: transactions that arrive during a commit wait and then share one atomic operation,
 * since a durable commit of ten costs about the same as one. That way, a listing handles three
 * times as many simultaneous votes. Only transactions with no conflicting keys are grouped.
 * Additions to the same counter are summed. Each transaction keeps its own marker. If one of the
 * group's checks fails, or KV refuses a key or value, each member is committed alone, and only
 * those at fault fail.
 */
export class GroupCommit {
  readonly #waiting: Waiting[] = [];
  readonly #reads: (() => void)[] = [];
  /** True during a commit or a read between commits. Only one runs at a time. */
  #busy = false;
  #revisions = 0;

  constructor(readonly kv: KvLike, readonly asker: Asker, readonly checksMax: number) {}

  /**
   * Commits a transaction, in a group unless it must go alone. Returns false if a check failed.
   * Throws what KV throws.
   */
  commit(sealed: Sealed, { alone }: { alone: boolean }): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sealed, alone, resolve, reject });
      this.#next();
    });
  }

  /**
   * Runs `read` between commits. `read` gets the amount this process knows it has added to the
   * revision. The rest came from other processes, or from our commits of unknown outcome.
   */
  async betweenCommits<T>(read: (revisions: number) => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#reads.push(resolve);
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
    const read = this.#reads.shift();
    this.#busy = read !== undefined || this.#waiting.length > 0;
    if (read !== undefined) read();
    else if (this.#busy) this.#commitNext();
  }

  async #commitNext(): Promise<void> {
    const group = this.#takeGroup();
    const { members } = group;
    const settle = members.length > 1 ? await this.#commitTogether(group) : null;
    if (settle === null) await Promise.all(members.map((member) => this.#commitAlone(member)));
    this.#busy = false;
    // Start the next commit before this one's callers continue.
    this.#next();
    if (settle !== null) members.forEach(settle);
  }

  /** Commits a group. Returns how to settle each member, or null to commit each one alone. */
  async #commitTogether({ members, uses }: Group): Promise<((member: Waiting) => void) | null> {
    try {
      const landed = await this.#write(members.map(({ sealed }) => sealed), uses);
      return landed ? ({ resolve }) => resolve(true) : null;
    } catch (error) {
      return isRefusal(error) ? null : ({ reject }) => reject(error);
    }
  }

  #commitAlone({ sealed, resolve, reject }: Waiting): Promise<void> {
    return this.#write([sealed], sealed.uses).then(resolve, reject);
  }

  async #write(group: readonly Sealed[], uses: KeyUses): Promise<boolean> {
    const operation = toOperation(this.kv, group, uses);
    let commit: Promise<Deno.KvCommitResult | Deno.KvCommitError> | undefined;
    try {
      const result = await this.asker.ask(() => commit = operation.commit());
      if (!result.ok) return false;
      this.#revisions += Number(uses.get(REVISION)?.sum ?? 0n);
      return true;
    } catch (error) {
      if (commit !== undefined) group.forEach(({ underWay }) => track(underWay, commit!));
      throw error;
    }
  }

  /** Takes the first waiting transaction and those behind it that can join it. */
  #takeGroup(): Group {
    const first = this.#waiting.shift()!;
    const members = [first];
    if (this.#waiting.length === 0 || !mayShare(first)) {
      return { members, uses: first.sealed.uses };
    }
    const uses = new Map(first.sealed.uses);
    let checks = checksOf(first.sealed);
    for (let i = 0; i < this.#waiting.length && members.length < GROUP_MAX;) {
      const next = this.#waiting[i]!;
      const more = checksOf(next.sealed);
      if (mayShare(next) && checks + more <= this.checksMax && join(uses, next.sealed.uses)) {
        checks += more;
        members.push(next);
        this.#waiting.splice(i, 1);
      } else i++;
    }
    return { members, uses };
  }
}

/** Tracks a commit we stopped waiting for until KV answers. */
function track(underWay: Set<Promise<unknown>>, commit: Promise<unknown>): void {
  underWay.add(commit);
  const done = () => underWay.delete(commit);
  commit.then(done, done);
}

/** True if a transaction can join a group. */
function mayShare({ sealed: { uses }, alone }: Waiting): boolean {
  return !alone &&
    uses.values().filter(({ write }) => write !== null).toArray().length <= WRITES_MAX;
}

/** The number of checks a transaction makes, including its marker's. */
function checksOf({ uses }: Sealed): number {
  let checks = 1;
  for (const { versionstamp } of uses.values()) if (versionstamp !== undefined) checks++;
  return checks;
}

/** Adds a transaction's key uses to a group's if they don't conflict. Returns true if it did. */
function join(uses: Map<string, Readonly<KeyUse>>, more: KeyUses): boolean {
  for (const [id, use] of more) {
    const other = uses.get(id);
    if (other !== undefined && !goTogether(use, other)) return false;
  }
  for (const [id, use] of more) {
    const other = uses.get(id);
    uses.set(id, other === undefined ? use : { ...other, sum: other.sum + use.sum });
  }
  return true;
}

/**
 * True if two transactions can use the same key in one commit: both only add to it, or both only
 * check for the same versionstamp.
 */
function goTogether(a: Readonly<KeyUse>, b: Readonly<KeyUse>): boolean {
  if (a.write !== null || b.write !== null || a.versionstamp !== b.versionstamp) return false;
  return a.versionstamp === undefined || (a.sum === 0n && b.sum === 0n);
}

/** Builds the atomic operation for a group of transactions. */
function toOperation(kv: KvLike, group: readonly Sealed[], uses: KeyUses): Deno.AtomicOperation {
  const operation = kv.atomic();
  for (const { key, versionstamp, write, value, expireIn, sum } of uses.values()) {
    if (versionstamp !== undefined) operation.check({ key, versionstamp });
    if (write === "set") operation.set(key, value, { expireIn });
    else if (write === "delete") operation.delete(key);
    if (sum !== 0n) operation.sum(key, sum);
  }
  for (const { marker } of group) placeMarker(operation, marker);
  return operation;
}

/** Makes an operation write a marker and check that it is absent, so it can land only once. */
export function placeMarker(
  operation: Deno.AtomicOperation,
  { key, value, expireIn }: Marker,
): Deno.AtomicOperation {
  return operation.check({ key, versionstamp: null }).set(key, value, { expireIn });
}
