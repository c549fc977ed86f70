import {
  attempt,
  CONFLICT_PAUSES,
  isLocked,
  isRefusal,
  PATIENCE_MS,
  pause,
  repeatedRead,
  track,
  unavailable,
} from "./attempt.ts";
import { GroupCommit, toOperation } from "./group_commit.ts";
import { storeKeys } from "./keys.ts";
import type { KvLike } from "./store.ts";
import { counterValue, MARKER_TTL_MS, type Sealed } from "./tx.ts";

const MAX_TRIES = 8;
/** How often the fence is tried where KV answers every commit but takes no write, as on a full disk. */
const FENCE_TRIES = 16;

/** What became of a transaction that landed: the versionstamp of what it wrote, where that is known. */
export interface Landed {
  versionstamp: string | null;
}

/** Commits transactions exactly once: a try of unknown outcome is settled by the transaction's marker. */
export class Commits {
  readonly #groups: GroupCommit;

  /** The longest that an operation may take, and that a commit of unknown outcome is asked for, in ms. */
  constructor(readonly kv: KvLike, readonly deadlineMs: number, readonly settleMs: number) {
    this.#groups = new GroupCommit(kv, deadlineMs);
  }

  /** Commits a transaction; null when a check failed for good. Throws `storage_unavailable`: nothing was changed. */
  async commit(sealed: Sealed): Promise<Landed | null> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    const settled = (landed: boolean) => landed ? { versionstamp: null } : null;
    let unknown = false;
    let cause: unknown;
    for (let tries = 0; tries < MAX_TRIES || (!unknown && isLocked(cause)); tries++) {
      if (tries > 0) await pause(tries);
      try {
        const versionstamp = tries === 0
          ? await this.#groups.commit(sealed)
          : await this.#commitAgain(sealed);
        if (versionstamp !== null) return { versionstamp };
        // An earlier try may be what made the check fail: one of ours, or one that the client of a KV server
        // repeated by itself when an answer was lost.
        return settled(
          unknown ? await this.#hasLanded(sealed) : await this.#marker(sealed) === "landed",
        );
      } catch (error) {
        if (isRefusal(error)) throw error;
        cause = error;
        if (!isLocked(error)) unknown = true;
      }
      if (performance.now() > giveUpAt) break;
    }
    if (unknown && await this.#hasLanded(sealed)) return settled(true);
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
        return counterValue(await attempt(read, this.deadlineMs)) - own;
      });
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  async #commitAgain(sealed: Sealed): Promise<string | null> {
    const operation = toOperation(this.kv, [sealed]);
    const result = await attempt(() => track([sealed], operation.commit()), this.deadlineMs);
    return result.ok ? result.versionstamp : null;
  }

  /**
   * Settles a commit of unknown outcome. The marker is taken by a void entry where it is free, so that a try
   * that is still under way cannot land after we have said that nothing was changed. Throws (which answers 500)
   * when KV stays away so long that nothing true can be said.
   */
  async #hasLanded(sealed: Sealed): Promise<boolean> {
    const { marker, voidValue, underWay } = sealed;
    const giveUpAt = performance.now() + this.settleMs;
    for (let tries = 0;; tries++) {
      if (tries > 0) await pause(Math.min(tries, CONFLICT_PAUSES));
      try {
        const fence = this.kv.atomic().check({ key: marker, versionstamp: null })
          .set(marker, voidValue, { expireIn: MARKER_TTL_MS });
        if ((await attempt(() => fence.commit(), this.deadlineMs)).ok) return false;
      } catch {
        // A full disk refuses the fence too, and still answers what the marker holds.
      }
      const state = await this.#marker(sealed).catch(() => "unknown");
      if (state === "landed" || state === "void") return state === "landed";
      if (underWay.size === 0 && tries >= FENCE_TRIES) return false;
      if (performance.now() > giveUpAt) {
        throw new Error("KV did not answer, so it is not known whether a write took effect");
      }
    }
  }

  /** What the marker of a transaction says became of it. */
  async #marker({ marker, voidValue }: Sealed): Promise<"absent" | "void" | "landed"> {
    const { value, versionstamp } = await repeatedRead(() =>
      attempt(() => this.kv.get(marker), this.deadlineMs)
    );
    if (versionstamp === null) return "absent";
    return JSON.stringify(value) === JSON.stringify(voidValue) ? "void" : "landed";
  }
}
