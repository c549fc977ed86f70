import { addDays, type Span, utcDay } from "../clock.ts";
import { setCheckInHidden } from "./check_ins.ts";
import type { Deps } from "./deps.ts";
import { guestbookKeys } from "./keys.ts";
import type { StoredCheckIn } from "./schema.ts";

/** A check-in of a UTC day, by its name. */
type Named = { day: string; agentName: string };

/**
 * Hides check-ins first signed from `from` to before `until` (ms), until `releaseCheckIns`. Returns
 * how many.
 */
export function holdCheckIns(
  deps: Deps,
  { from, until }: Span,
): Promise<number> {
  const days = {
    start: guestbookKeys.checkInsOf(utcDay(from)),
    end: guestbookKeys.checkInsOf(addDays(utcDay(until), 1)),
  };
  const isMeant = ({ hidden, signedAt }: StoredCheckIn) =>
    !hidden && signedAt >= from && signedAt < until;
  return turn(
    deps,
    days,
    isMeant,
    (of) => setCheckInHidden(deps, { ...of, hidden: true, held: true }),
  );
}

/** Shows the held check-ins of a span again. Returns how many. */
export function releaseCheckIns(deps: Deps, { from, until }: Span): Promise<number> {
  const all = { prefix: guestbookKeys.allCheckIns };
  const isMeant = (checkIn: StoredCheckIn) =>
    isHeld(checkIn) && checkIn.signedAt >= from && checkIn.signedAt < until;
  return turn(deps, all, isMeant, (of) => setCheckInHidden(deps, { ...of, hidden: false }));
}

/** All held check-ins. Reads every check-in. */
export async function listHeldCheckIns({ store }: Deps): Promise<Named[]> {
  const found: Named[] = [];
  const all = store.list<StoredCheckIn>({ prefix: guestbookKeys.allCheckIns });
  for await (const { key, value } of all) {
    if (isHeld(value)) found.push({ day: key[1] as string, agentName: value.agentName });
  }
  return found;
}

function isHeld({ held }: StoredCheckIn): boolean {
  return held === true;
}

async function turn(
  { store }: Deps,
  range: Deno.KvListSelector,
  isMeant: (checkIn: StoredCheckIn) => boolean,
  set: (of: Named) => Promise<{ changed: boolean }>,
): Promise<number> {
  let turned = 0;
  for await (const { key, value } of store.list<StoredCheckIn>(range)) {
    if (!isMeant(value)) continue;
    const { changed } = await set({ day: key[1] as string, agentName: value.agentName });
    if (changed) turned++;
  }
  return turned;
}
