import { DomainError } from "../errors.ts";

/** The longest that one KV operation may take, in ms. */
export const OPERATION_DEADLINE_MS = 5_000;

/**
 * The longest wait, in ms, for what an answer can do without: the theme of a page, the
 * operator's switches, the count of an install.
 */
export const DISPENSABLE_MS = 1_000;

/** The longest that a transaction may go on trying after a failure of KV, in ms. */
export const PATIENCE_MS = 10_000;

/**
 * How long, in ms, we go on asking what became of a commit whose outcome is unknown. Deno's client
 * of a KV server repeats a request for as long as the server is away, and nothing stops it. So
 * until the server has answered, the write may still land.
 */
export const SETTLE_MS = 60_000;

/** The number of conflicts after which `pause` grows no further (it is then at most 32 ms). */
export const CONFLICT_PAUSES = 5;

/** The error that every failure of KV is turned into. */
export function unavailable(cause?: unknown): DomainError {
  return new DomainError("storage_unavailable", undefined, {
    cause,
    headers: { "Retry-After": "2" },
  });
}

/** Runs one KV operation; throws what it throws, or an Error when `deadlineMs` have passed. */
export function attempt<T>(operation: () => Promise<T>, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = deadlineOf(deadlineMs).watch(() =>
      reject(new Error("KV operation passed its deadline"))
    );
    const fail = (error: unknown) => {
      release();
      reject(error);
    };
    try {
      operation().then((value) => {
        release();
        resolve(value);
      }, fail);
    } catch (error) {
      fail(error);
    }
  });
}

/** Stops the timers that have nothing left to watch, so that the process can end. */
export function restDeadlines(): void {
  for (const deadline of deadlines.values()) deadline.rest();
}

/**
 * Watches all operations that share one deadline with a single timer, because making a timer for
 * each costs more than the rest of the watching. The operations pass their deadline in the order in
 * which they began. When the timer fires and nothing is watched, it is not set again.
 */
class Deadline {
  /**
   * Oldest first. One that has ended stays in the list while an older one has not. This is no `Set`
   * because of what `UnderWay` says about sets.
   */
  #watched: Watched[] = [];
  #first = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly ms: number) {}

  /** Calls `pass` after the deadline, unless what it returns is called before. */
  watch(pass: () => void): () => void {
    const watched: Watched = { at: performance.now() + this.ms, pass };
    this.#watched.push(watched);
    this.#timer ??= setTimeout(() => this.#check(), this.ms);
    return () => {
      watched.pass = null;
      this.#next();
    };
  }

  rest(): void {
    if (this.#next() !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The oldest operation that has not ended. Forgets the ended ones before it. */
  #next(): Watched | undefined {
    while (this.#watched[this.#first]?.pass === null) this.#first++;
    if (this.#first === this.#watched.length || this.#first >= MANY) {
      this.#watched = this.#watched.slice(this.#first);
      this.#first = 0;
    }
    return this.#watched[this.#first];
  }

  #check(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (let watched = this.#next(); watched !== undefined; watched = this.#next()) {
      if (watched.at > now) {
        this.#timer = setTimeout(() => this.#check(), watched.at - now);
        return;
      }
      const { pass } = watched;
      watched.pass = null;
      pass?.();
    }
  }
}

/**
 * One watched operation: when it passes its deadline, and what to call then. `pass` is null once it
 * was called, or once the operation has ended.
 */
interface Watched {
  at: number;
  pass: (() => void) | null;
}

/** How many ended operations may stand at the head of the list before it is copied without them. */
const MANY = 1_000;

const deadlines = new Map<number, Deadline>();

function deadlineOf(ms: number): Deadline {
  let deadline = deadlines.get(ms);
  if (deadline === undefined) deadlines.set(ms, deadline = new Deadline(ms));
  return deadline;
}

/**
 * Notes, for each transaction in a commit that we stopped waiting for, that the commit is still
 * under way. The note goes when KV answers.
 */
export function track(
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
 * Whether SQLite refused because another process was writing. Nothing was committed then, so the
 * same commit can be sent again.
 */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message);
}

/**
 * Whether KV refused a key or value that is past its limits: a mistake of ours that no retry mends.
 * Nothing was committed.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof TypeError &&
    /too (large|long|many)|exceed|non-empty/i.test(error.message);
}

/** Waits before try number `tries` (from 1): 2 ms doubling to at most 250 ms, with full jitter. */
export function pause(tries: number): Promise<void> {
  const most = Math.min(250, 2 ** tries);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}

/**
 * Runs a read; if it fails, repeats it up to three times within ten seconds. Throws
 * `storage_unavailable`.
 */
export async function repeatedRead<T>(read: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let tries = 0;; tries++) {
    try {
      return await read();
    } catch (cause) {
      if (isRefusal(cause)) throw cause;
      if (tries >= 3 || performance.now() > giveUpAt) throw unavailable(cause);
      await pause(tries + 1);
    }
  }
}
