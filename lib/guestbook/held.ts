import { type Span, utcDay } from "../clock.ts";
import { setCheckInHidden } from "./check_ins.ts";
import type { Deps } from "./deps.ts";
import { guestbookKeys } from "./keys.ts";
import type { StoredCheckIn } from "./schema.ts";

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

/**
 * Hides the shown check-ins first signed from `from` to before `until` (ms), or shows those on hold.
 * Returns how many changed.
 */
export async function setCheckInsHeld(
  deps: Deps,
  { from, until }: Span,
  held: boolean,
): Promise<number> {
  const change = held ? { hidden: true, held } as const : { hidden: false };
  const start = guestbookKeys.checkInsOf(utcDay(Math.max(0, from)));
  const range = { prefix: guestbookKeys.allCheckIns, start };
  let changed = 0;
  for await (const { key, value } of deps.store.list<StoredCheckIn>(range)) {
    const { agentName, signedAt } = value;
    const isMeant = held ? !value.hidden : value.held === true;
    if (!isMeant || signedAt < from || signedAt >= until) continue;
    const of = { day: key[1] as string, agentName };
    if ((await setCheckInHidden(deps, { ...of, ...change })).changed) changed++;
  }
  return changed;
}
