import { utcDay } from "../clock.ts";
import { requireLive } from "../entries/entries.ts";
import { DomainError } from "../errors.ts";
import { blockedUntil } from "../http/blocks.ts";
import type { Caller } from "../http/caller.ts";
import { rateLimitKeys, rateLimitQueue, spendWindow } from "../http/rate_limit.ts";
import { attempt, DISPENSABLE_MS } from "../kv/attempt.ts";
import { counterValue, type Tx } from "../kv/store.ts";
import { errorFields } from "../log.ts";
import { type DayVoters, fullFor } from "../votes/service.ts";
import type { Deps } from "./deps.ts";
import { skillKeys } from "./keys.ts";
import type { StoredSkill } from "./schema.ts";

/**
 * Counts an install or copy, once per voter per UTC day. Up to 25 voters from a network and 100
 * from an IPv6 /48 count per day. The installed version (`sha256`, by default the latest) is kept
 * longer. `counted` is false after a voter's first copy of a day, and above those limits. Throws
 * `not_found`, `rate_limited`.
 */
export function countCopy(
  deps: Deps,
  options: { slug: string; caller: Caller; sha256?: string },
) {
  const { slug, caller } = options;
  const { network, holder, voter } = caller;
  return deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const copiersKey = skillKeys.copiers(slug, utcDay(now), holder);
    const [record, copiers, window] = await tx.getMany<unknown>([
      skillKeys.one(slug),
      copiersKey,
      rateLimitKeys.window("skillCopies", network),
    ]);
    const { sha256 } = requireLive<StoredSkill>(record!, "skill");
    const copies = counterValue(await tx.peek(skillKeys.copies(slug)));
    spendWindow(tx, window!, { bucket: "skillCopies", now });
    const known = (copiers!.value ?? []) as DayVoters;
    const isKnown = known.some((copier) => copier[0] === network && copier[1] === voter);
    if (isKnown || fullFor(known, caller) !== null) {
      return { slug, copies, counted: false };
    }
    tx.setExpiring(copiersKey, [...known, [network, voter]]);
    tx.setExpiring(skillKeys.installed(slug, options.sha256 ?? sha256), true);
    tx.sum(skillKeys.copies(slug), 1n);
    tx.pulse({ kind: "skill_copy", slug, delta: 1 });
    return { slug, copies: copies + 1, counted: true };
  }, { queue: rateLimitQueue("skillCopies", holder) });
}

/**
 * Counts an install if possible: returns the new count, or null if the network is blocked, the limit
 * is reached or storage accepts no write soon: reading must not depend on these. Failures other than
 * the limit are logged.
 */
export async function countInstall(
  deps: Deps,
  options: { slug: string; caller: Caller; sha256?: string },
): Promise<number | null> {
  if (await blockedUntil(deps, options.caller) !== null) return null;
  try {
    return (await attempt(() => countCopy(deps, options), DISPENSABLE_MS)).copies;
  } catch (error) {
    const code = error instanceof DomainError ? error.code : null;
    if (code === "not_found") throw error;
    if (code !== "rate_limited") deps.log.warn("install_not_counted", errorFields(error));
    return null;
  }
}

/**
 * Notes that a version's file was fetched, so the version is kept. A process writes this only once
 * a day per version, and reading doesn't depend on it.
 */
export async function noteInstall(deps: Deps, slug: string, sha256: string): Promise<void> {
  const mark = `${slug} ${sha256} ${utcDay(deps.clock.now())}`;
  if (deps.installs.get(mark)) return;
  deps.installs.set(mark, true);
  const write = (tx: Tx) => {
    tx.setExpiring(skillKeys.installed(slug, sha256), true);
  };
  try {
    await attempt(() => deps.store.transact(write), DISPENSABLE_MS);
  } catch (error) {
    deps.log.warn("install_not_noted", errorFields(error));
  }
}
