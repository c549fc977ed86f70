/**
 * Writes bids and auctions in the caller's transaction: their records, what Stripe's responses do to
 * them, and the notices about them.
 */
import { isoTime } from "../clock.ts";
import type { Tx } from "../kv/store.ts";
import type { NoticeEvent } from "../notices/events.ts";
import { notify } from "../notices/outbox.ts";
import { writeCheckout } from "../payments/checkout.ts";
import { dollars } from "../payments/fees.ts";
import { paymentKeys } from "../payments/keys.ts";
import { type AuctionDates, storedAuctionDates } from "./calendar.ts";
import { auctionKeys } from "./keys.ts";
import type { AuctionOutcome, BidCheckout, HighBid, StoredAuction } from "./schema.ts";

/** An auction before its first accepted bid. */
export function newAuction(dates: AuctionDates): StoredAuction {
  return {
    id: dates.id,
    closesAt: dates.scheduledCloseAt,
    high: null,
    bids: 0,
    lastHash: null,
    closedAt: null,
    outcome: null,
  };
}

/** Reads a bid to change it. */
export async function readBid(tx: Tx, bidId: string): Promise<BidCheckout | null> {
  const { value } = await tx.get<BidCheckout>(paymentKeys.checkout(bidId));
  return value;
}

/**
 * Records that a hold was released, by us or at Stripe. A bid that was never judged lapses. If the
 * link expired after nothing but declined cards, there was no hold (`wasHeld`). Returns the bid's
 * state, or null if this was not its hold.
 */
export async function noteReleased(
  tx: Tx,
  bidId: string,
  intentId: string,
  wasHeld = true,
): Promise<BidCheckout["state"] | null> {
  const bid = await readBid(tx, bidId);
  if (bid === null) return null;
  if (bid.state === "pending") {
    const status = wasHeld ? "completed" : "expired";
    writeCheckout(tx, { ...bid, status, state: "lapsed", intentId, hold: "released" });
    return "lapsed";
  }
  if (bid.intentId !== intentId) return null;
  writeCheckout(tx, { ...bid, hold: "released" });
  return bid.state;
}

/**
 * Records that someone else captured a hold. Returns whether that took money for a bid that does
 * not lead. It leaves a leading bid as it is: when the auction closes, we will find the hold
 * captured.
 */
export async function noteCaptured(tx: Tx, bidId: string, intentId: string): Promise<boolean> {
  const bid = await readBid(tx, bidId);
  if (bid === null) return false;
  // A bid's second hold never leads.
  if (bid.state !== "pending" && bid.intentId !== intentId) return true;
  if (bid.state === "high" || bid.hold === "captured") return false;
  const state = bid.state === "pending" ? "lapsed" : bid.state;
  writeCheckout(tx, { ...bid, status: "completed", state, intentId, hold: "captured" });
  return true;
}

/**
 * Records whether the winner's hold was captured. If it cannot be, the slot stays empty and nobody
 * else is charged.
 */
export async function settleHigh(
  tx: Tx,
  auctionId: string,
  outcome: "won" | "capture-failed",
): Promise<void> {
  const { value: auction } = await tx.get<StoredAuction>(auctionKeys.one(auctionId));
  if (!auction?.high) return;
  const bid = await readBid(tx, auction.high.bidId);
  const hold = outcome === "won" ? { hold: "captured" as const } : {};
  if (bid !== null) writeCheckout(tx, { ...bid, ...hold, state: outcome });
  if (outcome === "won") await tellBidder(tx, auction.high, "won", auctionId);
  writeOutcome(tx, { ...auction, outcome });
}

/** Tells the owner of a listing what happened to its bid. */
export async function tellBidder(
  tx: Tx,
  { slug, amountCents }: HighBid,
  type: Extract<NoticeEvent, { auctionId: string }>["type"],
  auctionId: string,
): Promise<void> {
  const { startsAt, endsAt } = storedAuctionDates(auctionId);
  await notify(tx, slug, {
    type,
    auctionId,
    amount: dollars(amountCents),
    startsAt: isoTime(startsAt),
    endsAt: isoTime(endsAt),
  });
}

/** Writes an auction with its outcome. */
export function writeOutcome(tx: Tx, auction: StoredAuction & { outcome: AuctionOutcome }): void {
  tx.set(auctionKeys.one(auction.id), auction);
  tx.delete(auctionKeys.unsettled(auction.id));
  tx.change({ kind: "site", slug: "front-row", event: auction.outcome });
}
