import type { Clock } from "../clock.ts";
import { logIdTime } from "./log_id.ts";
import type { Notice, Tx } from "./tx.ts";

/**
 * How long (ms) after its ids were made a transaction may land before it counts as late. Followers of
 * the logs read again what is younger; they have gone past what is older.
 */
export const LATE_MS = 10_000;
/** How many notices are logged again in one transaction. */
const LATE_MAX = 100;
/** How long (ms) to wait before the next try when KV fails. */
const RETRY_MS = 1_000;

/**
 * Logs what landed late a second time, under new ids, so that followers of the logs hear of it.
 * See `docs/decisions/transactions_with_markers.md`.
 */
export class LateNotices {
  readonly #waiting: Notice[] = [];

  constructor(
    readonly clock: Clock,
    readonly transact: (body: (tx: Tx) => void) => Promise<void>,
  ) {}

  /** Takes in what a transaction has logged, and logs it again if the transaction landed late. */
  note(notices: readonly Notice[]): void {
    const [first] = notices;
    if (first === undefined) return;
    const { id } = first.type === "change" ? first.change : first.pulse;
    if (this.clock.now() - logIdTime(id) <= LATE_MS) return;
    const isFirst = this.#waiting.length === 0;
    this.#waiting.push(...notices);
    if (isFirst) this.#logAll();
  }

  /** Goes on until all of them are logged, or the process ends. */
  async #logAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const notices = this.#waiting.slice(0, LATE_MAX);
      try {
        await this.transact((tx) => notices.forEach((notice) => logAgain(tx, notice)));
        this.#waiting.splice(0, notices.length);
      } catch {
        // KV fails, which those who wait for an answer report.
        await new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, RETRY_MS)));
      }
    }
  }
}

/** Logs a notice once more. A reader reads the record again; a counter's step counts 0 this time. */
function logAgain(tx: Tx, notice: Notice): void {
  if (notice.type === "change") {
    const { kind, slug, event } = notice.change;
    tx.change({ kind, slug, event });
  } else {
    const { kind, slug } = notice.pulse;
    tx.pulse({ kind, slug, delta: 0 });
  }
}
