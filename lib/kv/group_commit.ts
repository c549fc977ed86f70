import { attempt, isLocked, isRefusal, track } from "./attempt.ts";
import { storeKeys } from "./keys.ts";
import { createLogId, logIdTime } from "./log_id.ts";
import { SoleWriter } from "./sole_writer.ts";
import type { KvLike } from "./store.ts";
import { addSum, type Marker, pulseEntry, type Sealed, type Sum } from "./tx.ts";

/** How many transactions share one commit at most. */
const GROUP_MAX = 32;

/** How many checks KV takes in one operation. */
const KV_CHECKS_MAX = 100;

/** How many checks a group has at most, beside those of the term and of the entry of pulses. */
const CHECKS_MAX = KV_CHECKS_MAX - 2;

/** A transaction with more writes than this is committed alone: what KV takes at once is 800 KiB. */
const WRITES_MAX = 10;

const REVISION = JSON.stringify(storeKeys.revision);

/** What became of a transaction that was committed. */
export interface Committed {
  versionstamp: string;
  /** The term (`SoleWriter`) in which it landed: nobody else had logged anything since that began. */
  term: number | null;
}

interface Waiting {
  sealed: Sealed;
  alone: boolean;
  resolve(committed: Committed | null): void;
  reject(error: unknown): void;
}

/**
 * Group commit: transactions that wait while others are being committed go to KV together, in one atomic
 * operation, since one durable commit costs about the same for ten as for one. Only transactions that touch
 * nothing of each other are joined; what they add to one counter becomes one sum, and what they log of counters
 * one entry, which is the marker of them all. When the group's checks fail, or KV refuses a key or value of it,
 * each is committed alone, so that only those at fault are refused.
 */
export class GroupCommit {
  readonly #waiting: Waiting[] = [];
  readonly #pauses: (() => void)[] = [];
  /** One commit is under way at a time: KV has one thread, and what waits for it here goes in fewer commits. */
  #busy = false;
  #revisions = 0;
  readonly sole: SoleWriter;

  constructor(readonly kv: KvLike, readonly deadlineMs: number, sharedMs: number) {
    this.sole = new SoleWriter(sharedMs);
  }

  /**
   * Commits a transaction, with others unless it is to be alone, as at a further try: then its own marker must tell.
   * Returns null when one of its checks failed; throws as KV does.
   */
  commit(sealed: Sealed, { alone }: { alone: boolean }): Promise<Committed | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sealed, alone, resolve, reject });
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
    if (settle === null) {
      const alone = (member: Waiting) => this.#commitAlone(member);
      if (this.sole.term === null) await Promise.all(group.map(alone));
      // In a term each commit checks what the one before it has left.
      else for (const member of group) await alone(member);
    }
    this.#busy = false;
    // The next commit begins before those that waited for this one go on with what they have to do.
    this.#next();
    if (settle !== null) group.forEach(settle);
  }

  /** How the group is settled: committed, or of an outcome that each member settles for itself; else null. */
  async #commitTogether(group: Waiting[]): Promise<((member: Waiting) => void) | null> {
    const members = group.map(({ sealed }) => sealed);
    const shared = sharedEntry(members);
    try {
      const committed = await this.#commit(members, shared);
      if (committed !== null) return ({ resolve }) => resolve(committed);
      // The client of a KV server repeats a commit whose answer was lost, and then its own entry is in its way.
      if (shared === null || await this.#isUnmoved(toCheck(shared))) return null;
      throw new Error("KV has answered a commit that was repeated");
    } catch (error) {
      // What KV refuses of one member must not fail the others.
      if (isRefusal(error)) return null;
      return ({ sealed, reject }) => {
        if (sealed.marker === null && !isLocked(error)) sealed.shared = shared;
        reject(error);
      };
    }
  }

  async #commitAlone({ sealed, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await this.#commit([sealed], sharedEntry([sealed])));
    } catch (error) {
      reject(error);
    }
  }

  async #commit(group: Sealed[], entry: Marker | null): Promise<Committed | null> {
    const sums = foldedSums(group);
    const isLogged = sums.has(REVISION);
    const { term, check } = this.sole;
    if (check !== null && hasRoomForTerm(group[0]!)) {
      const versionstamp = await this.#write(group, { sums, entry, check });
      if (versionstamp !== null) {
        if (isLogged) this.sole.moved(versionstamp);
        return { versionstamp, term };
      }
      if (await this.#isUnmoved(check)) return null;
    }
    if (check !== null) this.sole.end();
    const versionstamp = await this.#write(group, { sums, entry, check: null });
    return versionstamp === null ? null : { versionstamp, term: null };
  }

  async #write(group: Sealed[], parts: Parts): Promise<string | null> {
    const operation = toOperation(this.kv, group, parts);
    const result = await attempt(() => track(group, operation.commit()), this.deadlineMs);
    if (!result.ok) return null;
    this.#revisions += Number(parts.sums.get(REVISION)?.amount ?? 0n);
    return result.versionstamp;
  }

  async #isUnmoved({ key, versionstamp }: Deno.AtomicCheck): Promise<boolean> {
    const read = () => this.kv.get(key);
    return (await attempt(read, this.deadlineMs)).versionstamp === versionstamp;
  }

  /** The first that waits, and those behind it that touch nothing of the others. */
  #takeGroup(): Waiting[] {
    const first = this.#waiting.shift()!;
    const group = [first];
    const touched = new Touched();
    touched.add(first.sealed);
    if (first.alone || first.sealed.writes.length > WRITES_MAX) return group;
    for (let i = 0; i < this.#waiting.length && group.length < GROUP_MAX;) {
      const { sealed, alone } = this.#waiting[i]!;
      const isSmall = !alone && sealed.writes.length <= WRITES_MAX;
      if (isSmall && touched.hasRoom(sealed) && !touched.meets(sealed)) {
        touched.add(sealed);
        group.push(...this.#waiting.splice(i, 1));
      } else i++;
    }
    return group;
  }
}

/** A transaction alone may have so many checks, those of its markers included, that KV takes no other. */
function hasRoomForTerm({ checks, marker, pulses }: Sealed): boolean {
  return checks.size + (marker === null ? 0 : 1) + (pulses.length > 0 ? 1 : 0) < KV_CHECKS_MAX;
}

/** What a commit has beside the checks, writes and markers of its members. */
interface Parts {
  sums: ReadonlyMap<string, Sum>;
  /** The entry of the log that carries their pulses. */
  entry: Marker | null;
  /** That of the term. */
  check: Deno.AtomicCheck | null;
}

/** The atomic operation of transactions that touch nothing of each other. */
function toOperation(
  kv: KvLike,
  group: readonly Sealed[],
  { sums, entry, check }: Parts,
): Deno.AtomicOperation {
  const operation = kv.atomic();
  const checked = new Map(group.flatMap(({ checks }) => [...checks]));
  operation.check(...checked.values());
  if (check !== null) operation.check(check);
  for (const { writes } of group) {
    for (const write of writes) write(operation);
  }
  for (const marker of [...group.map(({ marker }) => marker), entry]) {
    if (marker !== null) placeMarker(operation, marker);
  }
  for (const { key, amount } of sums.values()) operation.sum(key, amount);
  return operation;
}

/** Lets an operation take a marker, and land only where that is free. */
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

/** The entry of all pulses; that of a group has an id of its own, which no member is committed under alone. */
function sharedEntry(group: readonly Sealed[]): Marker | null {
  const pulses = group.flatMap((member) => member.pulses);
  if (pulses.length === 0) return null;
  return group.length === 1
    ? pulseEntry(pulses)
    : pulseEntry(pulses, createLogId(logIdTime(pulses[0]!.id)));
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
  #markers = 0;

  add({ checks, written, sums, marker }: Sealed): void {
    if (marker !== null) this.#markers++;
    for (const [id, { versionstamp }] of checks) this.#checked.set(id, versionstamp);
    for (const id of written) this.#written.add(id);
    for (const id of sums.keys()) this.#summed.add(id);
  }

  hasRoom({ checks, marker }: Sealed): boolean {
    const markers = this.#markers + (marker === null ? 0 : 1);
    return this.#checked.size + checks.size + markers <= CHECKS_MAX;
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
