import { type Span, utcDay } from "../clock.ts";
import { setCheckInHidden } from "./check_ins.ts";
import type { Deps } from "./deps.ts";
import { guestbookKeys } from "./keys.ts";
import type { StoredCheckIn } from "./schema.ts";

/**
 * Hides check-ins first signed from `from` to before `until` (ms), until `releaseCheckIns`. Returns
 * how many.
 */
export function holdCheckIns(deps: Deps, { from, until }: Span): Promise<number> {
  const since = {
    prefix: guestbookKeys.allCheckIns,
    start: guestbookKeys.checkInsOf(utcDay(from)),
  };
  const isMeant = ({ hidden, signedAt }: StoredCheckIn) =>
    !hidden && signedAt >= from && signedAt < until;
  return setAll(deps, since, isMeant, { hidden: true, held: true });
}

/** Shows the held check-ins of a span again. Returns how many. */
export function releaseCheckIns(deps: Deps, { from, until }: Span): Promise<number> {
  const all = { prefix: guestbookKeys.allCheckIns };
  const isMeant = ({ held, signedAt }: StoredCheckIn) =>
    held === true && signedAt >= from && signedAt < until;
  return setAll(deps, all, isMeant, { hidden: false });
}

/** All held check-ins. Reads every check-in. */
export async function listHeldCheckIns(
  { store }: Deps,
): Promise<{ day: string; agentName: string }[]> {
  const found: { day: string; agentName: string }[] = [];
  const all = store.list<StoredCheckIn>({ prefix: guestbookKeys.allCheckIns });
  for await (const { key, value } of all) {
    if (value.held) found.push({ day: key[1] as string, agentName: value.agentName });
  }
  return found;
}

/** Hides or shows the check-ins in a range that match. Returns how many changed. */
async function setAll(
  deps: Deps,
  range: Deno.KvListSelector,
  isMeant: (checkIn: StoredCheckIn) => boolean,
  change: { hidden: boolean; held?: true },
): Promise<number> {
  let changed = 0;
  for await (const { key, value } of deps.store.list<StoredCheckIn>(range)) {
    if (!isMeant(value)) continue;
    const of = { day: key[1] as string, agentName: value.agentName };
    if ((await setCheckInHidden(deps, { ...of, ...change })).changed) changed++;
  }
  return changed;
}
