/** The longest that one KV operation may take, in ms. */
export const OPERATION_DEADLINE_MS = 5_000;

/**
 * The longest wait, in ms, for what an answer can do without: the theme of a page, the
 * operator's switches, the count of an install.
 */
export const DISPENSABLE_MS = 1_000;

/**
 * After how many operations that KV has not answered in time, without one answer meanwhile, it is
 * asked only now and then; and how often (ms) that is.
 */
const UNANSWERED_MAX = 16;
const PROBE_MS = 120_000;
/** How long (ms) an operation that is not sent waits. Whoever repeats it soon finds KV back. */
const UNSENT_MS = 1_000;

/** Thrown for an operation that was not sent to KV, so that it never has an effect. */
export class Unsent extends Error {}

/** Runs one KV operation; throws what it throws, or an Error when `deadlineMs` have passed. */
export function attempt<T>(
  operation: () => Promise<T>,
  deadlineMs: number,
  heard?: { passed(): void; answered(): void },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = deadlineOf(deadlineMs).watch(() => {
      heard?.passed();
      reject(new Error("KV operation passed its deadline"));
    });
    const fail = (error: unknown) => {
      release();
      heard?.answered();
      reject(error);
    };
    try {
      operation().then((value) => {
        release();
        heard?.answered();
        resolve(value);
      }, fail);
    } catch (error) {
      fail(error);
    }
  });
}

/**
 * Asks one KV, each time within a deadline. Deno's client of a KV server repeats an unanswered
 * request several times a second, each time with a line on stderr, for as long as the server is
 * away, and nothing stops it. If each of ours went there, thousands would repeat themselves after
 * an hour. So once some are unanswered, others fail without being sent. One of those that were sent
 * finds the server when it is back.
 */
export class Asker {
  #unanswered = 0;
  #probeAt = 0;

  constructor(readonly deadlineMs: number) {}

  /** As `attempt`; throws `Unsent` where the operation was not sent. */
  ask<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#unanswered >= UNANSWERED_MAX) {
      const now = performance.now();
      if (now < this.#probeAt) return refuse(Math.min(UNSENT_MS, this.deadlineMs));
      this.#probeAt = now + PROBE_MS;
    }
    return attempt(operation, this.deadlineMs, this);
  }

  /** Hears that an operation has passed its deadline. */
  passed(): void {
    this.#unanswered++;
    if (this.#unanswered === UNANSWERED_MAX) this.#probeAt = performance.now() + PROBE_MS;
  }

  /** Hears that KV has answered an operation, in time or not. */
  answered(): void {
    this.#unanswered = 0;
  }
}

/** Throws `Unsent` after `ms`. */
function refuse(ms: number): Promise<never> {
  return attempt(() => new Promise<never>(() => {}), ms).catch(() => {
    throw new Unsent("KV operation passed its deadline without being sent");
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
  /** Oldest first. One that has ended stays in the list while an older one has not. */
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
