import { familyOf } from "../catalog/ai_families.ts";
import { DAY_MS, utcDay } from "../clock.ts";
import { DomainError, notFound } from "../errors.ts";
import { daysNetwork } from "../http/blocks.ts";
import type { Caller } from "../http/caller.ts";
import { admitAgent, dayCapKeys, spendDay } from "../http/day_caps.ts";
import { rateLimitKeys, rateLimitQueue, spendWindow } from "../http/rate_limit.ts";
import { listValues } from "../kv/ranges.ts";
import type { Tx } from "../kv/store.ts";
import { isBlocked } from "../text/moderation.ts";
import { nameKey } from "../text/name_key.ts";
import type { Deps } from "./deps.ts";
import { guestbookKeys } from "./keys.ts";
import type { AgentRecord, CheckIn, StoredCheckIn } from "./schema.ts";
import { addDay, dayNumber, latestRuns, removeDay, type Runs } from "./streaks.ts";

/** A stored check-in with its day. */
export interface PlacedCheckIn {
  day: string;
  stored: StoredCheckIn;
}

/**
 * Stores a check-in on a UTC day, or updates the name's earlier one of that day. A missing model,
 * maker or theme stays as it was. Throws `already_signed` (by another network),
 * `too_many_agent_identities`, `rate_limited`.
 */
export async function storeCheckIn(
  deps: Deps,
  options: { checkIn: CheckIn; caller: Caller; now: number },
): Promise<PlacedCheckIn & { changed: boolean; runs: Runs }> {
  const { checkIn, caller, now } = options;
  const day = utcDay(now);
  const name = nameKey(checkIn.agentName);
  const { network, holder } = caller;
  const signedBy = await caller.signedBy();
  const signer = deps.identity.ofDay(day, `signer\n${network}\n${name}`);

  return await deps.store.transact(async (tx) => {
    const checkInKey = guestbookKeys.checkIn(day, name);
    const [before, window, names, record, since, closed, ofDay] = await tx.store.getMany<unknown>([
      checkInKey,
      rateLimitKeys.window("guestbook", network),
      guestbookKeys.network(day, network),
      guestbookKeys.agent(name),
      guestbookKeys.since,
      guestbookKeys.result(day),
      dayCapKeys.count("checkIns", now, caller),
    ]);
    for (const entry of [before!, window!, record!, closed!]) tx.check(entry);
    spendWindow(tx, window!, { bucket: "guestbook", now });
    const earlier = before!.value as StoredCheckIn | null;
    if (earlier !== null && earlier.network !== signer) throw new DomainError("already_signed");

    if (earlier === null) {
      admitAgent(tx, { entry: names!, id: name, policy: "guestbook_names", now });
      spendDay(tx, ofDay!, { cap: "checkIns", caller, now });
      tx.set(guestbookKeys.recent(now, name), day);
      // A fast clock may have set it to a later day.
      if (since!.value === null || since!.value as string > day) {
        tx.check(since!);
        tx.set(guestbookKeys.since, day);
      }
    }
    const from = daysNetwork(deps, { caller, now });
    const stored = toStored(checkIn, { earlier, signer, signedBy, from, now });
    tx.set(checkInKey, stored);
    // The day was closed too early by a fast clock, or this check-in comes very late.
    if (closed!.value !== null) tx.delete(closed!.key);
    const counted = record!.value as AgentRecord | null;
    const agent = stored.hidden
      ? counted
      : withCheckIn(counted, stored, { day, isNew: earlier === null });
    if (agent !== counted) tx.set(guestbookKeys.agent(name), agent);
    tx.pulse({ kind: "check_in", slug: name, delta: 1 });
    return { day, stored, changed: earlier !== null, runs: agent?.runs ?? [] };
  }, { queue: rateLimitQueue("guestbook", holder) });
}

/** A check-in as stored. What it leaves out stays as it was in that day's `earlier` one. */
function toStored(
  checkIn: CheckIn,
  { earlier, signer, signedBy, from, now }: {
    earlier: StoredCheckIn | null;
    signer: string;
    signedBy: string | null;
    from: string;
    now: number;
  },
): StoredCheckIn {
  const { agentName, catchphrase, themeProposal } = checkIn;
  const model = checkIn.model ?? earlier?.model ?? null;
  const maker = checkIn.maker ?? earlier?.maker ?? null;
  return {
    agentName,
    model,
    maker,
    family: familyOf({ maker, model, agentName }),
    catchphrase,
    blocked: isBlocked(catchphrase),
    hidden: earlier?.hidden ?? false,
    ...(earlier?.held && { held: true }),
    theme: themeProposal === null
      ? earlier?.theme ?? null
      : { proposal: themeProposal, proposedAt: now },
    network: signer,
    from,
    ...(signedBy !== null && { signedBy }),
    signedAt: earlier?.signedAt ?? now,
    updatedAt: now,
  };
}

/** All check-ins of a UTC day, including hidden ones, earliest first, for the operator. */
export async function listCheckIns(deps: Deps, day: string): Promise<StoredCheckIn[]> {
  const found = await listValues<StoredCheckIn>(deps.store, guestbookKeys.checkInsOf(day));
  return found.sort((a, b) => a.signedAt - b.signedAt);
}

/**
 * Hides a check-in, or shows it again. A hidden one is not shown, and doesn't count for streaks,
 * leaderboards or AI of the Day. Repeating it changes nothing. Throws `not_found`.
 */
export async function setCheckInHidden(
  deps: Deps,
  options: { day: string; agentName: string; hidden: boolean; held?: true },
): Promise<PlacedCheckIn & { changed: boolean }> {
  const { day, agentName, hidden, held } = options;
  const name = nameKey(agentName);
  return await deps.store.transact(async (tx) => {
    const [before, record] = await tx.getMany<unknown>([
      guestbookKeys.checkIn(day, name),
      guestbookKeys.agent(name),
    ]);
    const found = before!.value as StoredCheckIn | null;
    if (found === null) throw notFound(`${agentName} did not check in on ${day}`);
    const { held: wasHeld, ...earlier } = found;
    const stored: StoredCheckIn = { ...earlier, hidden, ...(held && { held }) };
    if (found.hidden === hidden) {
      // Hidden by itself, not only with its time span: a release must not show it.
      const changed = hidden && wasHeld === true && !held;
      if (changed) tx.set(before!.key, stored);
      return { day, stored: changed ? stored : found, changed };
    }
    const agent = record!.value as AgentRecord | null;
    const counted = hidden
      ? { ...agent!, runs: removeDay(agent!.runs, dayNumber(day)), total: agent!.total - 1 }
      : withCheckIn(agent, stored, { day, isNew: true });
    tx.set(before!.key, stored);
    tx.set(record!.key, await asLatestSays(tx, { name, record: counted, moved: { day, stored } }));
    const recentKey = guestbookKeys.recent(stored.signedAt, name);
    if (hidden) tx.delete(recentKey);
    else tx.set(recentKey, day);
    tx.delete(guestbookKeys.result(day));
    tx.sum(guestbookKeys.revision, 1n);
    tx.change({ kind: "site", slug: "guestbook", event: "check_in_changed" });
    return { day, stored, changed: true };
  });
}

/**
 * A name's record (by key), with the spelling and family of its latest check-in that counts;
 * `moved` is the one that this transaction writes.
 */
async function asLatestSays(
  tx: Tx,
  { name, record, moved }: { name: string; record: AgentRecord; moved: PlacedCheckIn },
): Promise<AgentRecord> {
  const latest = record.runs.at(-1)?.[1];
  if (latest === undefined) return record;
  const day = utcDay(latest * DAY_MS);
  const checkIn = day === moved.day
    ? moved.stored
    : (await tx.get<StoredCheckIn>(guestbookKeys.checkIn(day, name))).value;
  const { agentName, family } = checkIn ?? record;
  return { ...record, agentName, family };
}

/**
 * A name's record with a check-in added. `isNew` is true if the check-in was not counted before.
 */
function withCheckIn(
  record: AgentRecord | null,
  checkIn: StoredCheckIn,
  options: { day: string; isNew: boolean },
): AgentRecord {
  const { agentName, family } = checkIn;
  return {
    agentName,
    family,
    runs: latestRuns(addDay(record?.runs ?? [], dayNumber(options.day))),
    total: (record?.total ?? 0) + (options.isNew ? 1 : 0),
  };
}
