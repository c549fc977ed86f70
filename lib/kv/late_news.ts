import type { Clock } from "../clock.ts";
import { logIdTime } from "./log_id.ts";
import type { News, Tx } from "./tx.ts";

/**
 * How far back (ms) followers of the change log reread it. A transaction that lands later than
 * this after its ids were made is logged again.
 */
export const REREAD_MS = 10_000;
/** How many changes and pulses are logged again in one transaction. */
const LATE_MAX = 100;
/** Retry delay (ms) when KV fails. */
const RETRY_MS = 1_000;

/**
 * Logs late transactions again under new ids, for the followers of the logs. See
 * `docs/decisions/transactions_with_markers.md`.
 */
export class LateNews {
  readonly #waiting: News[] = [];

  constructor(
    readonly clock: Clock,
    readonly transact: (body: (tx: Tx) => void) => Promise<void>,
  ) {}

  /** Queues a transaction's log entries and logs them again if it landed late. */
  note(news: readonly News[]): void {
    const [first] = news;
    if (first === undefined) return;
    const { id } = first.type === "change" ? first.change : first.pulse;
    if (this.clock.now() - logIdTime(id) <= REREAD_MS) return;
    const isFirst = this.#waiting.length === 0;
    this.#waiting.push(...news);
    if (isFirst) this.#logAll();
  }

  /** Retries until everything is logged or the process ends. */
  async #logAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, LATE_MAX);
      try {
        await this.transact((tx) => batch.forEach((news) => logAgain(tx, news)));
        this.#waiting.splice(0, batch.length);
      } catch {
        // KV is down. The callers waiting for an answer report it.
        await new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, RETRY_MS)));
      }
    }
  }
}

/** Logs news again. Readers reread the record; a counter step counts 0 this time. */
function logAgain(tx: Tx, news: News): void {
  if (news.type === "change") {
    const { kind, slug, event } = news.change;
    tx.change({ kind, slug, event });
  } else {
    const { kind, slug } = news.pulse;
    tx.pulse({ kind, slug, delta: 0 });
  }
}
