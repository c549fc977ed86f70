import { DAY_MS, HOUR_MS, MINUTE_MS } from "../clock.ts";
import type { Core } from "../core.ts";
import { entryKey } from "../entries/keys.ts";
import { inOneLine } from "../errors.ts";
import type { Fetcher, Fetching } from "../fetching/fetcher.ts";
import { hasWork, isDue, noteNext } from "../job_due.ts";
import { listValues } from "../kv/ranges.ts";
import { channelsOf, type Outcome, send } from "./channels.ts";
import { noticeKeys } from "./keys.ts";
import { type Addressee, addressesOf, type Notice, writeNotice } from "./outbox.ts";

/** How long (ms) until an undelivered notice is given up. */
const GIVE_UP_MS = 2 * DAY_MS;
/** The wait (ms) after the first failure. It doubles with each further one. */
const FIRST_WAIT_MS = MINUTE_MS;
/** The longest (ms) that a notice waits for its next try, and the longest between checks. */
const LONGEST_WAIT_MS = 6 * HOUR_MS;
/** How long (ms) until an unfinished try counts as lost. The fetcher answers sooner. */
const TRY_MS = 2 * MINUTE_MS;
/** How many notices are sent in parallel, so slow receivers do not hold up the others. */
const AT_ONCE = 8;
/** How long (ms) a run may start new tries. The next run does the rest. */
const RUN_MS = 40_000;

/**
 * Delivers due notices. While none are due, a run costs one read, in any process. `announce` queues
 * notices caused only by the passing of time, and returns when (ms) the next one is due. Returns
 * false if nothing was due.
 */
export async function deliverNotices(
  deps: Core & Fetching,
  announce: () => Promise<number> = () => Promise.resolve(Infinity),
): Promise<boolean> {
  if (deps.fetcher === null) return false;
  const { store, clock, fetcher } = deps;
  const known = await store.get<number>(noticeKeys.due);
  if (!hasWork(known, clock.now(), LONGEST_WAIT_MS)) return false;
  const announcedAt = await announce();
  const channels = channelsOf(deps.env);
  const all = (await listValues<Notice>(store, noticeKeys.all))
    .filter(({ channel }) => channels[channel]);
  const due = all.filter(({ notBefore }) => isDue(notBefore, clock.now(), LONGEST_WAIT_MS))
    .sort((a, b) => a.notBefore - b.notBefore);
  await deliverAll({ ...deps, fetcher }, due);
  if (due.length > 0) return true;
  const next = Math.min(announcedAt, ...all.map(({ notBefore }) => notBefore));
  await noteNext(store, known, { next, longest: LONGEST_WAIT_MS });
  return false;
}

type FetchingDeps = Core & { fetcher: Fetcher };

async function deliverAll(deps: FetchingDeps, due: Notice[]): Promise<void> {
  const endAt = performance.now() + RUN_MS;
  const waiting = due.values();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const notice of waiting) {
      if (performance.now() > endAt) return;
      await deliver(deps, notice);
    }
  }));
}

/**
 * Tries a notice once. The try is recorded first, so no other process sends it too. If this process
 * dies before recording the outcome, the notice is sent again with the same id.
 */
async function deliver(deps: FetchingDeps, { slug, id, channel }: Notice): Promise<void> {
  const { store, clock, log } = deps;
  const key = noticeKeys.one(slug, id, channel);
  const notice = await store.transact(async (tx) => {
    const [entry, record] = await tx.getMany<unknown>([key, entryKey("listing", slug)]);
    const notice = entry!.value as Notice | null;
    if (notice === null || !isDue(notice.notBefore, clock.now(), LONGEST_WAIT_MS)) return null;
    if (!isWanted(record!.value as Addressee | null, notice)) {
      tx.delete(key);
      return null;
    }
    writeNotice(tx, { ...notice, notBefore: clock.now() + TRY_MS });
    return notice;
  });
  if (notice === null) return;
  const outcome = await trySend(deps, notice);
  const isOver = outcome.kind !== "failed" || outcome.isFinal ||
    Math.abs(clock.now() - notice.at) >= GIVE_UP_MS;
  await store.transact(async (tx) => {
    const { value } = await tx.get<Notice>(key);
    if (value === null) return;
    if (isOver) return tx.delete(key);
    const failures = value.failures + 1;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
    writeNotice(tx, { ...value, failures, notBefore: clock.now() + wait });
  });
  if (isOver && outcome.kind === "failed") {
    const { error } = outcome;
    log.warn("notice_given_up", { slug, event: notice.event.type, channel, error });
  }
}

/**
 * Whether a listing still has an address in a notice's channel. When a new owner takes over, the
 * previous owner's addresses are removed, but they must still be told about the new key.
 */
function isWanted(listing: Addressee | null, { channel, event }: Notice): boolean {
  if (listing === null || listing.state === "withdrawn") return false;
  if (event.type === "key_replaced") return true;
  return addressesOf(listing).some(([of]) => of === channel);
}

async function trySend(deps: FetchingDeps, notice: Notice): Promise<Outcome> {
  try {
    return await send[notice.channel](deps, notice);
  } catch (error) {
    return { kind: "failed", error: inOneLine(error), isFinal: false };
  }
}
