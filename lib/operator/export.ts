/** Exports what is stored about one person, at their request. */
import type { EntryKind } from "../entries/entries.ts";
import { checkInsOf } from "../guestbook/forget.ts";
import { listValues } from "../kv/ranges.ts";
import { counterValue, pairValue } from "../kv/store.ts";
import { readDailyCounts } from "../listings/daily_counts.ts";
import { listingKeys } from "../listings/keys.ts";
import { noticeKeys } from "../notices/keys.ts";
import type { Notice } from "../notices/outbox.ts";
import { ballotsOf } from "../poll/forget.ts";
import { promotionKeys } from "../promotions/keys.ts";
import { showSkill } from "../skills/service.ts";
import { readSkill } from "../skills/store.ts";
import { voteKeys } from "../votes/keys.ts";
import { listAuctionRows, showAuctionRecord } from "./auctions.ts";
import { readableTime } from "./command.ts";
import type { Deps } from "./deps.ts";
import { showListing } from "./listings.ts";
import { reportsOn } from "./reports.ts";
import { findEntries, type FoundBy, nothingFound } from "./selection.ts";

/** Exported records, by what they are. */
type Exported = Record<string, unknown[]>;

/** Fields that only mean something to this service: pseudonyms and digests. */
const OWN_FIELDS = new Set(["keyHash", "network", "from", "contentKey"]);

/** Everything stored about a listing or skill. Throws `not_found`. */
export async function exportEntry(deps: Deps, kind: EntryKind, slug: string): Promise<Exported> {
  const entry = await (kind === "listing" ? listingData : skillData)(deps, slug);
  const reports = await reportsOn(deps, kind, slug);
  return readable({ [`${kind}s`]: [{ ...entry, reports }] });
}

/** Everything stored under a name, domain or email address. Throws `not_found`. */
export async function exportAll(deps: Deps, by: FoundBy, value: string): Promise<Exported> {
  const all: Exported = { listings: [], skills: [] };
  for (const { kind, slug } of await findEntries(deps, by, value)) {
    all[`${kind}s`]!.push(...(await exportEntry(deps, kind, slug))[`${kind}s`]!);
  }
  if (by === "name") {
    all.checkIns = await Array.fromAsync(
      checkInsOf(deps, value),
      ({ day, checkIn }) => ({ day, ...checkIn }),
    );
    all.ballots = await Array.fromAsync(
      ballotsOf(deps, value),
      ({ key, value }) => ({ day: key[1], ...value }),
    );
  }
  if (Object.values(all).every((records) => records.length === 0)) {
    throw nothingFound(by, value);
  }
  return readable(all);
}

async function listingData(deps: Deps, slug: string): Promise<Record<string, unknown>> {
  const { store } = deps;
  const shown = await showListing(deps, slug);
  const [clicks, up, down, health, periods] = await store.getMany<unknown>([
    listingKeys.clicks(slug),
    voteKeys.count("listing", slug, "up"),
    voteKeys.count("listing", slug, "down"),
    listingKeys.health(slug),
    promotionKeys.periods(slug),
  ]);
  const notices = await listValues<Notice>(store, noticeKeys.ofListing(slug));
  return {
    ...shown,
    votes: pairValue(up!, down!),
    clicks: counterValue(clicks!),
    daily: Object.fromEntries(await readDailyCounts(store, slug)),
    health: health!.value,
    promotedFromTo: periods!.value ?? [],
    bids: await bidsOf(deps, slug),
    waitingNotices: notices.map(({ channel, to, event, at }) => ({ channel, to, event, at })),
  };
}

async function bidsOf(deps: Deps, slug: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { id, bids } of await listAuctionRows(deps)) {
    if (bids === 0) continue;
    const record = await showAuctionRecord(deps, id);
    found.push(
      ...record.bids.filter((bid) => bid.slug === slug)
        .map((bid) => ({ auction: id, ...bid })),
    );
  }
  return found;
}

async function skillData(deps: Deps, slug: string): Promise<Record<string, unknown>> {
  const shown = await showSkill(deps, slug);
  const { content, counts, history } = (await readSkill(deps.store, slug))!;
  return { ...shown, ...counts, content, versions: history };
}

/** The same without fields that mean nothing to people, and with readable times. */
function readable(data: Exported): Exported {
  return JSON.parse(JSON.stringify(
    data,
    (name, value) => OWN_FIELDS.has(name) ? undefined : readableTime(name, value),
  ));
}
