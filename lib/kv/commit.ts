import { delay } from "../clock.ts";
import { type Asker, Unsent } from "./attempt.ts";
import { GroupCommit, placeMarker } from "./group_commit.ts";
import { storeKeys } from "./keys.ts";
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
import { counterValue, type Marker, type Sealed, VOID_TTL_MS } from "./tx.ts";

/**
 * How long, in ms, we go on asking what became of a commit whose outcome is unknown. Deno's client
 * of a KV server repeats a request for as long as the server is away, and nothing stops it. So
 * until the server has answered, the write may still land.
 */
export const SETTLE_MS = 60_000;

const MAX_TRIES = 8;
/** How many times the void is tried if KV answers but takes no write, as on a full disk. */
const VOID_TRIES = 16;

/** What `Commits` asks KV through, and its times, in ms. */
export interface CommitOptions {
  asker: Asker;
  /** The longest that a commit of unknown outcome is asked for. */
  settleMs: number;
}

/**
 * A transaction that landed. The versionstamp is null if we only learned afterward that it had
 * landed, so that it is not known when.
 */
export interface Landed {
  versionstamp: string | null;
}

/**
 * Thrown when KV stayed away for so long that we cannot say whether a write took effect: it may
 * still land.
 */
export class OutcomeUnknown extends Error {
  /** `landed` resolves once it is known whether the write took effect. It never rejects. */
  constructor(readonly landed: Promise<boolean>) {
    super("KV did not answer, so it is not known whether a write took effect");
  }
}

/** What a marker says became of its transaction. */
type MarkerState = "absent" | "void" | "landed";

/**
 * Commits transactions so that each lands at most once. A try of unknown outcome is settled by the
 * transaction's marker.
 */
export class Commits {
  readonly #groups: GroupCommit;

  constructor(readonly kv: KvLike, readonly options: CommitOptions) {
    this.#groups = new GroupCommit(kv, options.asker);
  }

  /**
   * Commits a transaction. Returns null if one of its checks failed for good. Throws
   * `storage_unavailable`, after which nothing was written and nothing will be.
   */
  async commit(sealed: Sealed): Promise<Landed | null> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    const settled = (state: MarkerState) => state === "landed" ? { versionstamp: null } : null;
    let unknown = false;
    let cause: unknown;
    for (let tries = 0; tries < MAX_TRIES || (!unknown && isLocked(cause)); tries++) {
      if (tries > 0) await pause(tries);
      try {
        const versionstamp = await this.#groups.commit(sealed, { alone: tries > 0 });
        if (versionstamp !== null) return { versionstamp };
        // The check may have failed because of an earlier try: one of ours, or one that the client
        // of a KV server repeated by itself after an answer was lost.
        return settled(unknown ? await this.#settle(sealed) : await this.#state(sealed.marker));
      } catch (error) {
        if (isRefusal(error)) throw error;
        cause = error;
        // Sending it while KV answers nothing would only make its outcome unknown.
        if (error instanceof Unsent) break;
        if (!isLocked(error)) unknown = true;
      }
      if (performance.now() > giveUpAt) break;
    }
    if (unknown && await this.#settle(sealed) === "landed") return settled("landed");
    throw unavailable(cause);
  }

  /** See `Store.betweenCommits`. */
  between<T>(read: () => Promise<T>): Promise<T> {
    return this.#groups.paused(read);
  }

  /** See `Store.foreignRevision`. */
  async foreignRevision(): Promise<number> {
    try {
      return await this.#groups.paused(async (own) => {
        const read = () => this.kv.get(storeKeys.revision);
        return counterValue(await this.options.asker.ask(read)) - own;
      });
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  /**
   * Finds out what became of a commit of unknown outcome. If the marker is free it is taken by a
   * void, so that a try that is still under way cannot land after we have said that nothing was
   * written. The marker stays absent only if KV takes no write and every try has ended. Throws
   * `OutcomeUnknown` (answered as 500) if KV stays away so long that nothing true can be said.
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
        // A full disk refuses the void as well, but KV still answers what the marker says.
      }
      // Asked before the marker is read, because what lands in between would not be seen by that
      // read.
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
   * Whether a transaction has landed, told once none of its commits is under way, however long KV
   * stays away.
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

  /** What a marker says became of its transaction. */
  async #state({ key, voidValue }: Marker): Promise<MarkerState> {
    const { value, versionstamp } = await repeatedRead(() =>
      this.options.asker.ask(() => this.kv.get(key))
    );
    if (versionstamp === null) return "absent";
    return JSON.stringify(value) === JSON.stringify(voidValue) ? "void" : "landed";
  }
}
