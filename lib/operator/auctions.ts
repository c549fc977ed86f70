import {
  auctionDates,
  type AuctionStatus,
  nextOpening,
  openPeriod,
  storedAuctionDates,
} from "../auctions/calendar.ts";
import { firstBrokenEntry } from "../auctions/history.ts";
import { auctionKeys } from "../auctions/keys.ts";
import type {
  AuctionOutcome,
  BidCheckout,
  StoredAuction,
  StoredEntry,
} from "../auctions/schema.ts";
import { newAuction } from "../auctions/settle.ts";
import { closeOf, statusOf } from "../auctions/status.ts";
import { isoTime } from "../clock.ts";
import { notFound } from "../errors.ts";
import { listIds, listValues } from "../kv/ranges.ts";
import { paymentKeys } from "../payments/keys.ts";
import type { Deps } from "./deps.ts";

/** A row of the list of auctions. */
interface AuctionRow {
  id: string;
  status: AuctionStatus;
  outcome: AuctionOutcome | null;
  closesAt: string;
  bids: number;
  high: { slug: string; amountCents: number } | null;
}

/** Every auction that had a bid, and the one that is open or opens next, latest first. */
export async function listAuctionRows(deps: Deps): Promise<AuctionRow[]> {
  const now = deps.clock.now();
  const next = openPeriod(now) ?? nextOpening(now);
  const stored = new Map<string, StoredAuction | null>([[next.id, null]]);
  const all = deps.store.list<StoredAuction>({ prefix: auctionKeys.all });
  for await (const { value } of all) stored.set(value.id, value);
  return [...stored].sort(([a], [b]) => (a < b ? 1 : -1)).map(([id, auction]) => {
    const dates = storedAuctionDates(id);
    const closesAt = closeOf(dates, auction);
    const high = auction?.high ?? null;
    return {
      id,
      status: statusOf(dates, auction, now),
      outcome: auction?.outcome ?? null,
      closesAt: isoTime(closesAt),
      bids: auction?.bids ?? 0,
      high: high === null ? null : { slug: high.slug, amountCents: high.amountCents },
    };
  });
}

/**
 * Everything stored about an auction: its history, whether the hash chain is intact, and its bids.
 */
interface AuctionRecord {
  auction: StoredAuction;
  chainHolds: boolean;
  bids: Pick<
    BidCheckout,
    "id" | "slug" | "agentName" | "amountCents" | "state" | "hold" | "intentId"
  >[];
  /** Links whose hold is not confirmed yet. */
  pending: Pick<BidCheckout, "id" | "slug" | "agentName" | "amountCents">[];
}

/** Reads an auction for the operator. Throws `not_found` for an unknown id. */
export async function showAuctionRecord(deps: Deps, id: string): Promise<AuctionRecord> {
  const dates = auctionDates(id, deps.clock.now());
  if (dates === null) throw notFound(`There is no auction with the id ${id}`);
  const { value } = await deps.store.get<StoredAuction>(auctionKeys.one(id));
  const auction = value ?? newAuction(dates);
  const all = await listValues<StoredEntry>(deps.store, auctionKeys.history(id));
  // An entry written after the auction was read is not in its count yet.
  const entries = all.filter(({ number }) => number <= auction.bids);
  // A chain with its end cut off is still valid in itself.
  const chainHolds = firstBrokenEntry(id, entries) === null &&
    (entries.at(-1)?.hash ?? null) === auction.lastHash;
  const bids: AuctionRecord["bids"] = [];
  for (const { bidId } of entries) {
    const { value } = await deps.store.get<BidCheckout>(paymentKeys.checkout(bidId));
    if (value === null) continue;
    const { id, slug, agentName, amountCents, state, hold, intentId } = value;
    bids.push({ id, slug, agentName, amountCents, state, hold, intentId });
  }
  const pending: AuctionRecord["pending"] = [];
  for (const bidId of await listIds(deps.store, auctionKeys.pendingBids(id))) {
    const { value } = await deps.store.get<BidCheckout>(paymentKeys.checkout(bidId));
    if (value === null) continue;
    const { slug, agentName, amountCents } = value;
    pending.push({ id: bidId, slug, agentName, amountCents });
  }
  return { auction, chainHolds, bids, pending };
}
