import { auctionDates, nextOpening, openPeriod, storedAuctionDates } from "../auctions/calendar.ts";
import { firstBrokenEntry } from "../auctions/history.ts";
import { auctionKeys } from "../auctions/keys.ts";
import type { BidCheckout, StoredAuction, StoredEntry } from "../auctions/schema.ts";
import { newAuction } from "../auctions/settle.ts";
import { closeOf, statusOf } from "../auctions/status.ts";
import { isoTime } from "../clock.ts";
import { notFound } from "../errors.ts";
import { listValues } from "../kv/ranges.ts";
import { paymentKeys } from "../payments/keys.ts";
import { listOpen } from "../payments/reconcile.ts";
import type { Deps } from "./deps.ts";

/** Every auction that had a bid, and the one that is open or opens next, latest first. */
export async function listAuctionRows(deps: Deps) {
  const now = deps.clock.now();
  const next = openPeriod(now) ?? nextOpening(now);
  const stored = new Map<string, StoredAuction | null>([[next.id, null]]);
  const all = deps.store.list<StoredAuction>({ prefix: auctionKeys.all });
  for await (const { value } of all) stored.set(value.id, value);
  return [...stored].sort(([a], [b]) => (a < b ? 1 : -1)).map(([id, auction]) => {
    const dates = storedAuctionDates(id);
    const high = auction?.high ?? null;
    return {
      id,
      status: statusOf(dates, auction, now),
      outcome: auction?.outcome ?? null,
      closesAt: isoTime(closeOf(dates, auction)),
      bids: auction?.bids ?? 0,
      high: high === null ? null : { slug: high.slug, amountCents: high.amountCents },
    };
  });
}

/**
 * An auction for the operator: its record, whether the hash chain is intact, its bids, and the links
 * whose hold is not confirmed yet. Throws `not_found` for an unknown id.
 */
export async function showAuctionRecord(deps: Deps, id: string) {
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
  const accepted = await deps.store.getMany<BidCheckout>(
    entries.map(({ bidId }) => paymentKeys.checkout(bidId)),
  );
  const bids = accepted.flatMap(({ value }) => value ?? [])
    .map(({ id, slug, agentName, amountCents, state, hold, intentId }) => {
      return { id, slug, agentName, amountCents, state, hold, intentId };
    });
  const pending = (await listOpen(deps) as BidCheckout[])
    .filter(({ kind, auctionId }) => kind === "bid" && auctionId === id)
    .map(({ id, slug, agentName, amountCents }) => ({ id, slug, agentName, amountCents }));
  return { auction, chainHolds, bids, pending };
}
