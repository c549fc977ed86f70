import { type AuctionDates, type AuctionStatus, minNextBidCents, statusAt } from "./calendar.ts";
import type { StoredAuction } from "./schema.ts";

/** The close of an auction, extended or not. */
export function closeOf(dates: AuctionDates, auction: StoredAuction | null): number {
  return auction?.closesAt ?? dates.scheduledCloseAt;
}

/** Where an auction stands. One that was closed stays so, whatever a clock that is set back says. */
export function statusOf(
  dates: AuctionDates,
  auction: StoredAuction | null,
  now: number,
): AuctionStatus {
  if (auction !== null && auction.closedAt !== null) return "past";
  return statusAt(dates, closeOf(dates, auction), now);
}

/** The least that the next bid must be, in cents. */
export function minimumOf(auction: StoredAuction | null): number {
  return minNextBidCents(auction?.high?.amountCents ?? null);
}
