/** Bid holds, as reported by Stripe. */
import type Stripe from "stripe";
import { listIds } from "../kv/ranges.ts";
import type { Store } from "../kv/store.ts";
import { type Told, transactWithAlert } from "../payments/alerts.ts";
import type { StripeDeps } from "../payments/deps.ts";
import { dropDoubt, noteDoubt } from "../payments/doubts.ts";
import { CURRENCY } from "../payments/fees.ts";
import { paymentKeys } from "../payments/keys.ts";
import { hasMetadataOf } from "../payments/kinds.ts";
import { type Cause, fetchObject, findCheckout, markSeen } from "../payments/objects.ts";
import { forEach } from "../payments/reconcile.ts";
import { judgeBid } from "./bids.ts";
import { auctionKeys } from "./keys.ts";
import type { BidCheckout, StoredAuction } from "./schema.ts";
import { noteCaptured, noteReleased } from "./settle.ts";

/** Applies the state of a payment intent, which is a bid's hold. */
export async function applyIntent(
  deps: StripeDeps,
  intentId: string,
  cause: Cause,
): Promise<void> {
  const intent = await fetchObject(() =>
    deps.stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge"] })
  );
  if (intent === null) return;
  const bid = await findCheckout<BidCheckout>(deps, intent.metadata, "bid");
  if (bid === null) return;
  const fits = intent.amount === bid.totalCents && intent.currency === CURRENCY &&
    intent.capture_method === "manual" && hasMetadataOf(deps, bid, intent.metadata);
  if (!fits) return await noteDoubt(deps, { id: bid.id, object: intentId, checkout: bid });
  await dropDoubt(deps, bid.id);
  if (intent.status === "requires_capture") {
    const hold = {
      bidId: bid.id,
      intentId,
      heldAt: intent.created * 1000,
      captureBefore: captureBefore(intent),
    };
    return await judgeBid(deps, hold, cause);
  }
  const { status } = intent;
  if (status !== "succeeded" && status !== "canceled") return;
  await transactWithAlert(deps, async (tx): Promise<Told | null> => {
    if (!await markSeen(tx, cause)) return null;
    if (status === "canceled") {
      const wasHeld = chargeOf(intent)?.status === "succeeded";
      const state = await noteReleased(tx, bid.id, intentId, wasHeld);
      if (state !== "high") return null;
      return { what: "The hold for the leading bid ended at Stripe", details: { bidId: bid.id } };
    }
    // Somebody captured it manually in the Stripe Dashboard, before or instead of us.
    if (!await noteCaptured(tx, bid.id, intentId)) return null;
    return {
      what: "A hold was captured for a bid that isn't leading",
      details: { bidId: bid.id, intentId },
    };
  });
}

/** The charge that holds the money, or one that was declined. */
function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof charge === "string" ? null : charge;
}

function captureBefore(intent: Stripe.PaymentIntent): number | null {
  const seconds = chargeOf(intent)?.payment_method_details?.card?.capture_before;
  return seconds === undefined ? null : seconds * 1000;
}

/** Reads the leading bids, each with its auction. None of these has an outcome yet. */
export async function listLeading(store: Store) {
  const ids = await listIds(store, auctionKeys.allUnsettled);
  const auctions = await store.getMany<StoredAuction>(ids.map((id) => auctionKeys.one(id)));
  const led = auctions.flatMap(({ value }) => value?.high ? [{ ...value, high: value.high }] : []);
  const bids = await store.getMany<BidCheckout>(
    led.map(({ high }) => paymentKeys.checkout(high.bidId)),
  );
  return led.map((auction, i) => ({ auction, bid: bids[i]!.value }));
}

/** Checks the holds of leading bids: one may have ended at Stripe. */
export async function reconcileHolds(deps: StripeDeps): Promise<void> {
  const leading = await listLeading(deps.store);
  await forEach(leading, async ({ auction, bid }) => {
    if (bid?.hold === "held") await applyIntent(deps, auction.high.intentId, null);
  });
}
