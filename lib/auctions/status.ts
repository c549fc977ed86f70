import type { Store } from "../kv/store.ts";
import { type AuctionDates, comingPeriods, minNextBidCents, statusAt } from "./calendar.ts";
import { auctionKeys } from "./keys.ts";
import type { PublicAuction, StoredAuction } from "./schema.ts";

/** The close of an auction (ms), including any extension. */
export function closeOf(dates: AuctionDates, auction: StoredAuction | null): number {
  return auction?.closesAt ?? dates.scheduledCloseAt;
}

/** The status of an auction. Once closed it stays closed, even if the clock is set back. */
export function statusOf(
  dates: AuctionDates,
  auction: StoredAuction | null,
  now: number,
): PublicAuction["status"] {
  if (auction !== null && auction.closedAt !== null) return "past";
  return statusAt(dates, closeOf(dates, auction), now);
}

/** The minimum next bid, in cents. */
export function minimumOf(auction: StoredAuction | null): number {
  return minNextBidCents(auction?.high?.amountCents ?? null);
}

/** Whether a bid can no longer lead: the auction is closed, or its minimum is now higher. */
export function isOutrun(auction: StoredAuction | null, amountCents: number): boolean {
  return (auction !== null && auction.closedAt !== null) || amountCents < minimumOf(auction);
}

/** The auction that takes bids now, or null. Its close includes extensions by late bids. */
export async function readOpenAuction(store: Store, now: number): Promise<AuctionDates | null> {
  const [dates] = comingPeriods(now, 1) as [AuctionDates];
  const { value } = await store.get<StoredAuction>(auctionKeys.one(dates.id));
  return statusOf(dates, value, now) === "open" ? dates : null;
}
