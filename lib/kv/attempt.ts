import { delay } from "../clock.ts";

/** The longest that one KV operation may take, in ms. */
export const OPERATION_DEADLINE_MS = 5_000;

/** The longest wait (ms) for what an answer can do without, such as the theme of a page. */
export const DISPENSABLE_MS = 1_000;

/**
 * After this many operations in a row that KV has not answered in time, KV is asked only now and
 * then, every `PROBE_MS`.
 */
const UNANSWERED_MAX = 16;
const PROBE_MS = 120_000;
/** How long (ms) an operation that is not sent waits. A caller that repeats it soon finds KV back. */
const UNSENT_MS = 1_000;

/** Thrown for an operation that was not sent to KV, so that it never has an effect. */
export class Unsent extends Error {}

/** Runs one KV operation. Throws what it throws, or an Error when `deadlineMs` have passed. */
export function attempt<T>(
  operation: () => Promise<T>,
  deadlineMs: number,
  heard?: { passed(): void; answered(): void },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      heard?.passed();
      reject(new Error("KV operation passed its deadline"));
    }, deadlineMs);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      heard?.answered();
      settle();
    };
    try {
      operation().then((value) => end(() => resolve(value)), (error) => end(() => reject(error)));
    } catch (error) {
      end(() => reject(error));
    }
  });
}

/**
 * Asks one KV, each time within a deadline. Deno's client of a KV server repeats an unanswered
 * request several times a second, with a line on stderr each time, for as long as the server is
 * away, and nothing stops it. Thousands of requests would repeat themselves after an hour. So once
 * some are unanswered, others fail without being sent. One of those that were sent finds the server
 * when it is back.
 */
export class Asker {
  #unanswered = 0;
  #probeAt = 0;

  constructor(readonly deadlineMs: number) {}

  /** As `attempt`. Throws `Unsent` if the operation was not sent. */
  async ask<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#unanswered >= UNANSWERED_MAX) {
      const now = performance.now();
      if (now < this.#probeAt) {
        await delay(Math.min(UNSENT_MS, this.deadlineMs));
        throw new Unsent("KV operation passed its deadline without being sent");
      }
      this.#probeAt = now + PROBE_MS;
    }
    return await attempt(operation, this.deadlineMs, this);
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
