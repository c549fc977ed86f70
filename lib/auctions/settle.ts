/** What follows from Stripe's answers for bids and auctions, within the caller's transaction. */
import type { Tx } from "../kv/store.ts";
import { writeCheckout } from "../payments/checkout.ts";
import { paymentKeys } from "../payments/keys.ts";
import { queueOperation } from "../payments/operations.ts";
import type { BidCheckout, Checkout } from "../payments/schema.ts";
import type { AuctionDates } from "./calendar.ts";
import { auctionKeys } from "./keys.ts";
import type { AuctionOutcome, StoredAuction } from "./schema.ts";

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

/** Reads a bid that is to be changed. */
export async function readBid(tx: Tx, bidId: string): Promise<BidCheckout | null> {
  const { value } = await tx.get<BidCheckout>(paymentKeys.checkout(bidId));
  return value;
}

/**
 * Notes that a hold was released, by us or at Stripe. A bid that was never judged lapses. Returns
 * the state of the bid, or null if this was not its hold.
 */
export async function noteReleased(
  tx: Tx,
  bidId: string,
  intentId: string,
): Promise<BidCheckout["state"] | null> {
  const bid = await readBid(tx, bidId);
  if (bid === null) return null;
  if (bid.state === "pending") {
    writeCheckout(tx, { ...bid, status: "completed", state: "lapsed", intentId, hold: "released" });
    return "lapsed";
  }
  if (bid.intentId !== intentId) return null;
  writeCheckout(tx, { ...bid, hold: "released" });
  return bid.state;
}

/**
 * Notes that someone else captured a hold. Returns whether that took money for a bid that does not
 * lead. A bid that leads was captured before its time, which the close notices.
 */
export async function noteCaptured(tx: Tx, bidId: string, intentId: string): Promise<boolean> {
  const bid = await readBid(tx, bidId);
  if (bid === null) return false;
  // A second hold of the same bid never leads.
  if (bid.state !== "pending" && bid.intentId !== intentId) return true;
  if (bid.state === "high" || bid.hold === "captured") return false;
  const state = bid.state === "pending" ? "lapsed" : bid.state;
  writeCheckout(tx, { ...bid, status: "completed", state, intentId, hold: "captured" });
  return true;
}

/** Notes that a session ended unpaid. */
export async function noteSessionExpired(
  tx: Tx,
  options: { checkoutId: string; sessionId: string },
): Promise<void> {
  const { value } = await tx.get<Checkout>(paymentKeys.checkout(options.checkoutId));
  if (value === null || value.sessionId !== options.sessionId || value.status !== "open") return;
  writeCheckout(tx, { ...value, status: "expired" });
}

/** Notes that the winner's hold was captured: the slot is sold. */
export async function settleWon(tx: Tx, auctionId: string): Promise<void> {
  const { value: auction } = await tx.get<StoredAuction>(auctionKeys.one(auctionId));
  if (!auction?.high) return;
  const bid = await readBid(tx, auction.high.bidId);
  if (bid !== null) writeCheckout(tx, { ...bid, state: "won", hold: "captured" });
  writeOutcome(tx, { ...auction, outcome: "won" });
}

/**
 * Notes that the winner's hold cannot be captured: the slot stays empty and nobody else is charged.
 * Returns the operations to run, which release the hold if it has not ended.
 */
export async function settleCaptureFailed(
  tx: Tx,
  options: { auctionId: string; now: number },
): Promise<string[]> {
  const { value: auction } = await tx.get<StoredAuction>(auctionKeys.one(options.auctionId));
  if (!auction?.high) return [];
  const { bidId, intentId } = auction.high;
  const bid = await readBid(tx, bidId);
  if (bid !== null) writeCheckout(tx, { ...bid, state: "capture-failed" });
  writeOutcome(tx, { ...auction, outcome: "capture-failed" });
  return [await queueOperation(tx, { kind: "release", intentId, bidId }, options.now)];
}

/** Writes an auction that has its outcome. */
export function writeOutcome(tx: Tx, auction: StoredAuction & { outcome: AuctionOutcome }): void {
  tx.set(auctionKeys.one(auction.id), auction);
  tx.delete(auctionKeys.unsettled(auction.id));
  tx.change({ kind: "site", slug: "front-row", event: auction.outcome });
}
