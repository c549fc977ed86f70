import { delay } from "../clock.ts";

/** The time limit for one KV operation, in ms. */
export const OPERATION_DEADLINE_MS = 5_000;

/** The time limit (ms) for optional data, such as a page's theme. */
export const DISPENSABLE_MS = 1_000;

/** After this many KV timeouts in a row, KV is tried only once every `PROBE_MS`. */
const UNANSWERED_MAX = 16;
const PROBE_MS = 120_000;
/** How long (ms) an unsent operation waits before it fails, so quick retries may succeed. */
const UNSENT_MS = 1_000;

/** Thrown for an operation that was never sent to KV, so it can't take effect. */
export class Unsent extends Error {}

/** Runs one KV operation. Throws what it throws, or an Error after `deadlineMs`. */
export function attempt<T>(
  operation: () => Promise<T>,
  deadlineMs: number,
  heard?: { passed(): void; answered(): void },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      heard?.passed();
      reject(new Error("KV operation timed out"));
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
 * Runs KV operations, each with a deadline. Deno's client for KV servers retries an unanswered
 * request several times a second, logging to stderr each time, for as long as the server is down.
 * Nothing stops it, so thousands of requests would be retrying after an hour. So once a few have
 * timed out, only one is sent every `PROBE_MS`, to notice when the server is back.
 */
export class Asker {
  #unanswered = 0;
  #probeAt = 0;

  constructor(readonly deadlineMs: number) {}

  /** Like `attempt`. Throws `Unsent` if the operation was not sent. */
  async ask<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#unanswered >= UNANSWERED_MAX) {
      const now = performance.now();
      if (now < this.#probeAt) {
        await delay(Math.min(UNSENT_MS, this.deadlineMs));
        throw new Unsent("KV operation not sent, because KV timed out too often");
      }
      this.#probeAt = now + PROBE_MS;
    }
    return await attempt(operation, this.deadlineMs, this);
  }

  /** Called when an operation times out. */
  passed(): void {
    this.#unanswered++;
    if (this.#unanswered === UNANSWERED_MAX) this.#probeAt = performance.now() + PROBE_MS;
  }

  /** Called when KV answers an operation, in time or late. */
  answered(): void {
    this.#unanswered = 0;
  }
}
