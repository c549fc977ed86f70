import { DomainError } from "../errors.ts";

/** The longest that one KV operation may take, in ms. */
export const OPERATION_DEADLINE_MS = 5_000;

/** The longest that what an answer can do without is waited for, in ms: a page's theme, what the switches say. */
export const DISPENSABLE_MS = 1_000;

/** The longest that a transaction may go on trying after a failure of KV, in ms. */
export const PATIENCE_MS = 10_000;

/**
 * The longest that a commit of unknown outcome is asked for, in ms. The client of a KV server repeats a request
 * for as long as the server is away, and nothing stops it: until it has answered, the write may still land.
 */
export const SETTLE_MS = 60_000;

/** After how many conflicts `pause` grows no longer (to 32 ms). */
export const CONFLICT_PAUSES = 5;

/** What every failure of KV becomes. */
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

/** Stops the timers that watch nothing, as at the end of a process; others go on. */
export function restDeadlines(): void {
  for (const deadline of deadlines.values()) deadline.rest();
}

/**
 * One timer for all operations of one deadline, since a timer costs more than watching: they pass it in the
 * order in which they began. Once it has passed with nothing to watch it is not set again, so that operations
 * one after another need none of their own.
 */
class Deadline {
  /** In the order in which they began, also those that have ended behind one that has not. No `Set`: see `UnderWay`. */
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

  /** The first that has not ended; forgets those before it. */
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

/** What is to pass at a time (ms); null once it has, or has ended before. */
interface Watched {
  at: number;
  pass: (() => void) | null;
}

/** Ended ones that are kept at most before the rest is copied. */
const MANY = 1_000;

const deadlines = new Map<number, Deadline>();

function deadlineOf(ms: number): Deadline {
  let deadline = deadlines.get(ms);
  if (deadline === undefined) deadlines.set(ms, deadline = new Deadline(ms));
  return deadline;
}

/** Notes a commit that was given up on as under way, for all transactions in it, until KV answers. */
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

/** Whether SQLite refused because another process writes: nothing was committed, a repeat is exact. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message);
}

/** A mistake of ours that no retry mends: a key or value past KV's limits. Nothing was committed. */
export function isRefusal(error: unknown): boolean {
  return error instanceof TypeError &&
    /too (large|long|many)|exceed|non-empty/i.test(error.message);
}

/** Waits before try number `tries` (from 1): 2 ms doubling to at most 250 ms, with full jitter. */
export function pause(tries: number): Promise<void> {
  const most = Math.min(250, 2 ** tries);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}

/** Reads, again at most three times and ten seconds where that fails. Throws `storage_unavailable`. */
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
