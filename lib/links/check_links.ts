/** Checks the links of all live listings about once a day, starting with the longest unchecked. */
import { HOUR_MS, MINUTE_MS } from "../clock.ts";
import type { Fetched } from "../fetching/schema.ts";
import { afterLook, type Seen, type StoredHealth } from "../listings/health.ts";
import { listingKeys } from "../listings/keys.ts";
import { type ListingRow, parsed } from "../listings/row.ts";
import type { StoredListing } from "../listings/schema.ts";
import { notify } from "../notices/outbox.ts";
import type { Deps } from "../owners/deps.ts";
import { look } from "./look.ts";

/** When (ms) the next check is due: a little less than a day, so that each day has one. */
const DUE_MS = 23 * HOUR_MS;
/** How many links one run checks in total, per host, and in parallel. A day has 144 runs. */
const LOOKS_A_RUN = 100;
const LOOKS_A_HOST = 5;
const AT_ONCE = 10;
/** After this long (ms), a run counts as over. */
const RUN_MS = 5 * MINUTE_MS;

/**
 * Checks the links that are due, and stores the results. Only one process does it at a time.
 * Returns false if there was nothing to do.
 */
export async function checkLinks(deps: Deps, now: number): Promise<boolean> {
  const { fetcher, catalogue } = deps;
  if (fetcher === null || !catalogue.isReady) return false;
  const due = dueLinks(catalogue.rows(), now);
  if (due.length === 0 || !await claimRun(deps, now)) return false;
  const robots = new Map<string, Promise<Fetched>>();
  const options = {
    robots(origin: string) {
      const asked = robots.get(origin) ?? fetcher.get(`${origin}/robots.txt`);
      robots.set(origin, asked);
      return asked;
    },
  };
  const seen: { slug: string; url: string; seen: Seen }[] = [];
  const next = due.values();
  const work = async () => {
    for (const { slug, url } of next) {
      const found = await look(fetcher, { url, ...options });
      if (found !== null) seen.push({ slug, url, seen: found });
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } catch (error) {
    // The log and the health check say that it is down. The next run continues.
    if (!fetcher.isAway) throw error;
  }
  for (const one of seen) await writeDown(deps, { ...one, now });
  return true;
}

/** The live listings whose links are due, up to the number that one run checks. */
function dueLinks(rows: readonly ListingRow[], now: number): { slug: string; url: string }[] {
  const isDue = ({ health: { state, lookedAt } }: ListingRow) =>
    state !== "not_checked" && (lookedAt <= now - DUE_MS || lookedAt > now);
  const ofHost = new Map<string, number>();
  const due: { slug: string; url: string }[] = [];
  const waiting = rows.filter(isDue).sort((a, b) => a.health.lookedAt - b.health.lookedAt);
  for (const row of waiting) {
    const { slug, url } = parsed(row);
    const { host } = new URL(url);
    const looks = ofHost.get(host) ?? 0;
    if (looks === LOOKS_A_HOST) continue;
    ofHost.set(host, looks + 1);
    if (due.push({ slug, url }) === LOOKS_A_RUN) break;
  }
  return due;
}

/** Claims a run, unless another process has one in progress. */
function claimRun({ store }: Deps, now: number): Promise<boolean> {
  return store.transact(async (tx) => {
    const { key, value } = await tx.get<number>(listingKeys.linkRun);
    if (value !== null && Math.abs(now - value) < RUN_MS) return false;
    tx.set(key, now);
    return true;
  });
}

/** Stores a link's result, unless its listing has changed in the meantime. */
function writeDown(
  { store }: Deps,
  { slug, ...look }: { slug: string; url: string; seen: Seen; now: number },
): Promise<void> {
  return store.transact(async (tx) => {
    const [record, entry] = await tx.getMany<unknown>([
      listingKeys.one(slug),
      listingKeys.health(slug),
    ]);
    const listing = record!.value as StoredListing | null;
    if (listing?.state !== "live" || listing.url !== look.url || listing.linkCheck === "off") {
      return;
    }
    const before = entry!.value as StoredHealth | null;
    const after = afterLook(before, look);
    tx.set(entry!.key, after);
    // All processes reload it within a second.
    tx.pulse({ kind: "link", slug, delta: 0 });
    // A link that works the first time, as most do, isn't news.
    const known = before?.url === look.url ? before.state : "unknown";
    const isNews = known !== after.state && !(known === "unknown" && after.state === "alive");
    if (isNews) tx.change({ kind: "listing", slug, event: `link_${after.state}` });
    if (isNews && after.state === "gone") {
      await notify(tx, slug, { type: "link_gone", url: look.url });
    }
  });
}
