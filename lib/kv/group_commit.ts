import type { Asker } from "./attempt.ts";
import { JoinedUses, KV_CHECKS_MAX } from "./joined_uses.ts";
import { storeKeys } from "./keys.ts";
import { createLogId } from "./log_id.ts";
import { isLocked, isRefusal } from "./retry.ts";
import { SoleWriter } from "./sole_writer.ts";
import type { KvLike } from "./store.ts";
import { type KeyUses, type Marker, pulseEntry, type Sealed, useOf } from "./tx.ts";

/** How many transactions share one commit at most. */
const GROUP_MAX = 32;

/**
 * The size up to which all that wait go together. Of a longer queue only half goes at once. A long
 * queue forms while KV makes a checkpoint; sending and answering all of it in one commit would keep
 * everything else waiting for as long as that takes.
 */
const GROUP_SMALL = 8;

/**
 * A transaction with more writes than this is committed alone, because KV takes at most 800 KiB at
 * once.
 */
const WRITES_MAX = 10;

const REVISION = JSON.stringify(storeKeys.revision);

/** What became of a transaction that was committed. */
export interface Committed {
  versionstamp: string;
  /**
   * The term (see `SoleWriter`) in which it landed, or null. In a term nobody else has logged
   * anything.
   */
  term: number | null;
}

interface Waiting {
  sealed: Sealed;
  alone: boolean;
  resolve(committed: Committed | null): void;
  reject(error: unknown): void;
}

/**
 * Group commit: transactions that arrive while a commit is under way wait, and then go to KV
 * together in one atomic operation, because a durable commit costs about the same for ten as for
 * one.
 *
 * Only transactions that do not touch each other's keys are joined. What they add to the same
 * counter becomes one sum. Their pulses become one log entry, which is also the marker of the whole
 * group. When a check of the group fails, or KV refuses a key or value in it, each member is
 * committed alone, so that only those at fault are refused.
 */
export class GroupCommit {
  readonly #waiting: Waiting[] = [];
  readonly #pauses: (() => void)[] = [];
  /**
   * Whether a commit is under way. One runs at a time: KV has one thread, and what waits here
   * meanwhile goes in fewer commits.
   */
  #busy = false;
  #revisions = 0;
  readonly sole: SoleWriter;

  constructor(readonly kv: KvLike, readonly asker: Asker, sharedMs: number) {
    this.sole = new SoleWriter(sharedMs);
  }

  /**
   * Commits a transaction, together with others unless it must go alone. A repeated try goes alone,
   * so that its own marker can tell what became of it. Returns null when one of its checks failed;
   * throws what KV throws.
   */
  commit(sealed: Sealed, { alone }: { alone: boolean }): Promise<Committed | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sealed, alone, resolve, reject });
      this.#next();
    });
  }

  /**
   * Runs `read` while no commit is under way. `read` gets the amount that this process knows it has
   * added to the revision. What KV holds beyond that came from other processes, or from a commit of
   * ours whose outcome was unknown.
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
    const { members } = group;
    const settle = members.length > 1 ? await this.#commitTogether(group) : null;
    if (settle === null) {
      const alone = (member: Waiting) => this.#commitAlone(member);
      if (this.sole.term === null) await Promise.all(members.map(alone));
      // In a term each commit checks the revision that the one before it has left.
      else for (const member of members) await alone(member);
    }
    this.#busy = false;
    // Starts the next commit before the callers of this one go on with their own work.
    this.#next();
    if (settle !== null) members.forEach(settle);
  }

  /**
   * Commits a group. Returns how to settle each member (committed, or failed with an outcome that
   * the member looks up for itself), or null if each member must be committed alone.
   */
  async #commitTogether({ members, uses }: Group): Promise<((member: Waiting) => void) | null> {
    const sealed = members.map(({ sealed }) => sealed);
    const shared = sharedEntry(sealed);
    try {
      const committed = await this.#commit(sealed, { uses, entry: shared });
      if (committed !== null) return ({ resolve }) => resolve(committed);
      // A failed check may also mean that the group has landed: the client of a KV server repeats a
      // commit whose answer was lost, and then meets its own entry.
      if (shared === null || await this.#isUnmoved(toCheck(shared))) return null;
      throw new Error("KV has answered a commit that was repeated");
    } catch (error) {
      // One member's refused key or value must not fail the others.
      if (isRefusal(error)) return null;
      return ({ sealed, reject }) => {
        if (sealed.marker === null && !isLocked(error)) sealed.shared = shared;
        reject(error);
      };
    }
  }

  async #commitAlone({ sealed, resolve, reject }: Waiting): Promise<void> {
    try {
      const { uses, pulses } = sealed;
      const entry = pulses.length === 0 ? null : pulseEntry(pulses);
      resolve(await this.#commit([sealed], { uses, entry }));
    } catch (error) {
      reject(error);
    }
  }

  async #commit(group: readonly Sealed[], parts: Parts): Promise<Committed | null> {
    const { term, check } = this.sole;
    const { entry } = parts;
    if (check !== null && hasRoomForTerm(group[0]!)) {
      const versionstamp = await this.#write(group, parts, check);
      if (versionstamp !== null) {
        if (addedToRevision(parts) > 0) this.sole.moved(versionstamp);
        return { versionstamp, term };
      }
      if (await this.#isUnmoved(check)) return null;
    }
    if (check !== null) {
      this.sole.end();
      // What moved the revision may be this very commit, which the client of a KV server repeated.
      if (entry !== null && !await this.#isUnmoved(toCheck(entry))) return null;
    }
    const versionstamp = await this.#write(group, parts, null);
    return versionstamp === null ? null : { versionstamp, term: null };
  }

  async #write(
    group: readonly Sealed[],
    parts: Parts,
    check: Deno.AtomicCheck | null,
  ): Promise<string | null> {
    const operation = toOperation(this.kv, group, parts);
    if (check !== null) operation.check(check);
    let commit: Promise<Deno.KvCommitResult | Deno.KvCommitError> | undefined;
    try {
      const result = await this.asker.ask(() => commit = operation.commit());
      if (!result.ok) return null;
      this.#revisions += addedToRevision(parts);
      return result.versionstamp;
    } catch (error) {
      if (commit !== undefined) track(group, commit);
      throw error;
    }
  }

  async #isUnmoved({ key, versionstamp }: Deno.AtomicCheck): Promise<boolean> {
    const read = () => this.kv.get(key);
    return (await this.asker.ask(read)).versionstamp === versionstamp;
  }

  /** Takes the first that waits, and those behind it that touch none of the others' keys. */
  #takeGroup(): Group {
    const first = this.#waiting.shift()!;
    const members = [first];
    const joined = new JoinedUses();
    if (this.#waiting.length === 0 || !mayShare(first) || !joined.take(first.sealed)) {
      return { members, uses: first.sealed.uses };
    }
    const most = Math.min(Math.max(GROUP_SMALL, Math.ceil(this.#waiting.length / 2)), GROUP_MAX);
    for (let i = 0; i < this.#waiting.length && members.length < most;) {
      const next = this.#waiting[i]!;
      if (mayShare(next) && joined.take(next.sealed)) {
        members.push(next);
        this.#waiting.splice(i, 1);
      } else i++;
    }
    return { members, uses: joined.uses };
  }
}

/** Whether a transaction may go with others. */
function mayShare({ sealed, alone }: Waiting): boolean {
  return !alone && sealed.writes <= WRITES_MAX;
}

/** Transactions that go to KV together, and what they do with each key. */
interface Group {
  members: readonly Waiting[];
  uses: KeyUses;
}

/**
 * Whether a check of the term still fits: a single transaction may use up all the checks that KV
 * takes.
 */
function hasRoomForTerm({ checks, marker, pulses }: Sealed): boolean {
  return checks + (marker === null ? 0 : 1) + (pulses.length > 0 ? 1 : 0) < KV_CHECKS_MAX;
}

/** What a commit consists of, beside the markers of its members. */
interface Parts {
  uses: KeyUses;
  /** The log entry that carries the pulses of all members, or null. */
  entry: Marker | null;
}

function addedToRevision({ uses }: Parts): number {
  return Number(useOf(uses, REVISION)?.sum ?? 0n);
}

/** Builds the atomic operation of transactions that do not touch each other's keys. */
function toOperation(
  kv: KvLike,
  group: readonly Sealed[],
  { uses, entry }: Parts,
): Deno.AtomicOperation {
  const operation = kv.atomic();
  for (const { key, versionstamp, write, value, expireIn, sum } of uses) {
    if (versionstamp !== undefined) operation.check({ key, versionstamp });
    if (write === "set") operation.set(key, value, { expireIn });
    else if (write === "delete") operation.delete(key);
    if (sum !== 0n) operation.sum(key, sum);
  }
  for (const { marker } of group) {
    if (marker !== null) placeMarker(operation, marker);
  }
  if (entry !== null) placeMarker(operation, entry);
  return operation;
}

/** Has an operation write a marker and check that it is absent, so that it can land only once. */
export function placeMarker(
  operation: Deno.AtomicOperation,
  marker: Marker,
): Deno.AtomicOperation {
  const { key, value, expireIn } = marker;
  return operation.check(toCheck(marker))
    .set(key, value, expireIn === undefined ? undefined : { expireIn });
}

function toCheck({ key }: Marker): Deno.AtomicCheck {
  return { key, versionstamp: null };
}

/**
 * Notes, for each transaction in a commit that we stopped waiting for, that the commit is still
 * under way. The note goes when KV answers.
 */
function track(
  members: readonly { underWay: Promise<unknown>[] }[],
  commit: Promise<unknown>,
): void {
  for (const { underWay } of members) underWay.push(commit);
  const done = () => {
    for (const { underWay } of members) {
      const at = underWay.indexOf(commit);
      if (at >= 0) underWay.splice(at, 1);
    }
  };
  commit.then(done, done);
}

/**
 * The log entry of all pulses of a group, or null if there are none. Its id is a new one, which no
 * member has when it is committed alone. It carries the time of the latest pulse: if the first one
 * has waited for long, followers of the log have already read past its time.
 */
function sharedEntry(group: readonly Sealed[]): Marker | null {
  const pulses = group.flatMap((member) => member.pulses);
  if (pulses.length === 0) return null;
  return pulseEntry(pulses, createLogId(Math.max(...pulses.map(({ at }) => at))));
}
