import { delay } from "../clock.ts";
import { type Asker, Unsent } from "./attempt.ts";
import { type GroupCommit, placeMarker } from "./group_commit.ts";
import {
  CONFLICT_PAUSES,
  isLocked,
  isRefusal,
  PATIENCE_MS,
  pause,
  repeatedRead,
  unavailable,
} from "./retry.ts";
import type { KvLike } from "./store.ts";
import { type Marker, type Sealed, VOID_TTL_MS } from "./tx.ts";

/**
 * How long, in ms, we try to settle a commit of unknown outcome. Deno's client for KV servers
 * retries a request for as long as the server is down, and nothing stops it. So the write can still
 * land until the server answers.
 */
export const SETTLE_MS = 60_000;

const MAX_TRIES = 8;
/** How many times we try the void if KV answers but refuses writes, as on a full disk. */
const VOID_TRIES = 16;

/** What `Commits` uses to read and commit, and its time limit, in ms. */
interface CommitOptions {
  asker: Asker;
  groups: GroupCommit;
  /** The time limit for settling a commit of unknown outcome. */
  settleMs: number;
}

/** When a transaction landed: just now, or earlier, at an unknown time. */
type Landed = "now" | "earlier";

/** Thrown when KV was away too long to say if a write took effect: it may still land. */
export class OutcomeUnknown extends Error {
  /** `landed` resolves once we know if the write took effect. It never rejects. */
  constructor(readonly landed: Promise<boolean>) {
    super("KV did not respond, so a write may or may not have taken effect");
  }
}

/** A transaction's outcome according to its marker. */
type MarkerState = "absent" | "void" | "landed";

/**
 * Commits each transaction at most once. An attempt of unknown outcome is settled by the
 * transaction's marker.
 */
export class Commits {
  constructor(readonly kv: KvLike, readonly options: CommitOptions) {}

  /**
   * Commits a transaction. Returns null if a check failed for good. Throws `storage_unavailable` if
   * nothing was written and nothing will be.
   */
  async commit(sealed: Sealed): Promise<Landed | null> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    let unknown = false;
    let cause: unknown;
    for (let tries = 0; tries < MAX_TRIES || (!unknown && isLocked(cause)); tries++) {
      if (tries > 0) await pause(tries);
      try {
        if (await this.options.groups.commit(sealed, { alone: tries > 0 })) return "now";
        // An earlier attempt may have failed the check: ours, or a retry by the KV server's client
        // after a lost response.
        const state = unknown ? await this.#settle(sealed) : await this.#state(sealed.marker);
        return state === "landed" ? "earlier" : null;
      } catch (error) {
        if (isRefusal(error) || error instanceof OutcomeUnknown) throw error;
        cause = error;
        // Sending it while KV doesn't answer would only make its outcome unknown.
        if (error instanceof Unsent) break;
        if (!isLocked(error)) unknown = true;
      }
      if (performance.now() > giveUpAt) break;
    }
    if (unknown && await this.#settle(sealed) === "landed") return "earlier";
    throw unavailable(cause);
  }

  /**
   * Settles a commit of unknown outcome. If the marker is free, a void takes it, so a pending
   * attempt can't land after we have said that nothing was written. The marker stays absent only if
   * KV refuses writes and every attempt has ended. Throws `OutcomeUnknown` (a 500) if KV is down
   * too long to tell.
   */
  async #settle({ marker, underWay }: Sealed): Promise<MarkerState> {
    const voided = { ...marker, value: marker.voidValue, expireIn: VOID_TTL_MS };
    const giveUpAt = performance.now() + this.options.settleMs;
    for (let tries = 0;; tries++) {
      if (tries > 0) await pause(Math.min(tries, CONFLICT_PAUSES));
      try {
        const operation = placeMarker(this.kv.atomic(), voided);
        if ((await this.options.asker.ask(() => operation.commit())).ok) return "void";
      } catch {
        // A full disk refuses the void too, but KV can still read the marker.
      }
      // Check this before reading the marker: the read would miss anything that lands in between.
      const isOver = underWay.size === 0;
      const state = await this.#state(marker).catch(() => "unknown" as const);
      if (state === "landed" || state === "void") return state;
      if (isOver && tries >= VOID_TRIES) return "absent";
      if (performance.now() > giveUpAt) {
        throw new OutcomeUnknown(this.#landsLater({ marker, underWay }));
      }
    }
  }

  /**
   * True if a transaction landed. Resolves once none of its commits is pending, however long KV is
   * away.
   */
  async #landsLater({ marker, underWay }: Pick<Sealed, "marker" | "underWay">): Promise<boolean> {
    while (underWay.size > 0) await Promise.allSettled(underWay);
    for (;;) {
      try {
        return await this.#state(marker) === "landed";
      } catch {
        await delay(this.options.settleMs);
      }
    }
  }

  /** Reads a transaction's outcome from its marker. */
  async #state({ key, voidValue }: Marker): Promise<MarkerState> {
    const { value, versionstamp } = await repeatedRead(() =>
      this.options.asker.ask(() => this.kv.get(key))
    );
    if (versionstamp === null) return "absent";
    return JSON.stringify(value) === JSON.stringify(voidValue) ? "void" : "landed";
  }
}
