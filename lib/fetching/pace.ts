/** How long (ms) lies between two requests to one host. */
const PACE_MS = 1_000;
/** A request that would wait for longer (ms) is refused. */
const LONGEST_WAIT_MS = 10_000;
/** So many hosts are remembered before those whose time has passed are dropped. */
const HOSTS_MAX = 1_000;

/** Gives each host its turns, so that nobody is asked too often. */
export class Pace {
  /** When (ms) each host may be asked again. */
  readonly #next = new Map<string, number>();

  constructor(readonly now: () => number = () => performance.now()) {}

  /** How long (ms) to wait before a host is asked; null if that is too long. */
  turn(host: string): number | null {
    const now = this.now();
    const at = Math.max(now, this.#next.get(host) ?? 0);
    if (at - now > LONGEST_WAIT_MS) return null;
    if (this.#next.size >= HOSTS_MAX) {
      for (const [other, next] of this.#next) if (next <= now) this.#next.delete(other);
    }
    this.#next.set(host, at + PACE_MS);
    return at - now;
  }
}
