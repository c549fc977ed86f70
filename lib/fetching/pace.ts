import { Lru } from "../cache/lru.ts";

/** The minimum time (ms) between two requests to one host. */
const PACE_MS = 1_000;
/** Requests that would wait longer (ms) are refused. */
const LONGEST_WAIT_MS = 10_000;
/** How many hosts are remembered: far more than are contacted within the longest wait. */
const HOSTS_MAX = 10_000;

/** Schedules requests per host, so no host is contacted too often. */
export class Pace {
  /** When (ms) each host may be contacted again. */
  readonly #next = new Lru<number>({ max: HOSTS_MAX });

  constructor(readonly now: () => number = () => performance.now()) {}

  /** How long (ms) to wait before contacting a host; null if too long. */
  turn(host: string): number | null {
    const now = this.now();
    const at = Math.max(now, this.#next.get(host) ?? 0);
    if (at - now > LONGEST_WAIT_MS) return null;
    this.#next.set(host, at + PACE_MS);
    return at - now;
  }
}
