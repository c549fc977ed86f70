/**
 * Applies the state of Stripe's objects. An event only says which object to look at; the object is
 * then fetched, so that order and repetition do not matter and a forged event changes nothing (but
 * for `applyExpired`). The webhook and the reconciliation both come through here.
 */
import type Stripe from "stripe";
import { judgeBid } from "../auctions/bids.ts";
import { noteCaptured, noteReleased, noteSessionExpired } from "../auctions/settle.ts";
import { DAY_MS } from "../clock.ts";
import { applyPaidOrder } from "../promotions/payments.ts";
import { transactWithAlert } from "./alerts.ts";
import { writeCheckout } from "./checkout.ts";
import type { StripeDeps } from "./context.ts";
import { dropDoubt, noteDoubt, noteUnknownOrder } from "./doubts.ts";
import { CURRENCY } from "./fees.ts";
import { paymentKeys } from "./keys.ts";
import { type Cause, fetchObject, findCheckout, idOf, markSeen, paidSince } from "./objects.ts";
import { applyInvoice, applySubscriptionId } from "./renewals.ts";
import type { BidCheckout, Checkout } from "./schema.ts";
import { hasMetadataOf } from "./session_params.ts";

/**
 * For how long the reconciliation waits for a payer to act, such as to send a transfer or to verify
 * an account, for which Stripe gives ten days. A webhook may come even later.
 */
const AWAITED_MS = 14 * DAY_MS;

/** The event types that are handled. An endpoint at Stripe need not send any others. */
export const EVENT_TYPES = [
  "checkout.session.async_payment_failed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.completed",
  "checkout.session.expired",
  "customer.subscription.deleted",
  "customer.subscription.updated",
  "invoice.paid",
  "payment_intent.amount_capturable_updated",
  "payment_intent.canceled",
] as const satisfies readonly Stripe.Event.Type[];

/**
 * Applies an event whose signature was verified, or that Stripe has listed (`isListed`). Events of
 * other types and of strangers' objects do nothing.
 */
export async function applyEvent(
  deps: StripeDeps,
  event: Stripe.Event,
  { isListed = false } = {},
): Promise<void> {
  const { id, type, created } = event;
  const cause = { id, type, listedAs: isListed ? created : undefined };
  if ((await deps.store.get(paymentKeys.event(id))).value !== null) return;
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_failed":
    case "checkout.session.async_payment_succeeded":
      await applySession(deps, event.data.object.id, cause);
      return;
    case "checkout.session.expired":
      return await applyExpired(deps, event.data.object, cause);
    case "payment_intent.amount_capturable_updated":
    case "payment_intent.canceled":
      return await applyIntent(deps, event.data.object.id, cause);
    case "invoice.paid":
      return await applyInvoice(deps, event.data.object.id, cause);
    case "customer.subscription.deleted":
    case "customer.subscription.updated":
      return await applySubscriptionId(deps, event.data.object.id, cause);
  }
}

/**
 * Applies the state of a Checkout session: paid, held or expired. False if Stripe has no such
 * session.
 */
export async function applySession(
  deps: StripeDeps,
  sessionId: string,
  cause: Cause,
): Promise<boolean> {
  const session = await fetchObject(() => deps.stripe.checkout.sessions.retrieve(sessionId));
  if (session === null) return false;
  await applyFetchedSession(deps, session, cause);
  return true;
}

async function applyFetchedSession(
  deps: StripeDeps,
  session: Stripe.Checkout.Session,
  cause: Cause,
): Promise<void> {
  if (session.status === "expired") return await applyExpired(deps, session, cause);
  const sessionId = session.id;
  const checkout = await findCheckout(deps, session.metadata);
  if (checkout === null) {
    if (session.status === "complete") await noteUnknownOrder(deps, session);
    return;
  }
  const fits = session.amount_total === checkout.totalCents && session.currency === CURRENCY &&
    hasMetadataOf(checkout, session.metadata);
  if (!fits) return await noteDoubt(deps, { id: checkout.id, object: sessionId, checkout });
  if (session.status !== "complete") return;
  if (checkout.kind === "bid") {
    if (session.payment_intent !== null) {
      await applyIntent(deps, idOf(session.payment_intent), cause);
    }
    return;
  }
  // Renewals get their time from their invoices; granting it here would count the first period
  // twice.
  if (session.mode !== "payment") {
    if (session.subscription !== null) {
      await applySubscriptionId(deps, idOf(session.subscription), cause);
    }
    return;
  }
  await dropDoubt(deps, checkout.id);
  if (session.payment_status !== "paid") {
    return await applyUnpaid(deps, { checkout, session, cause });
  }
  await applyPaidOrder(deps, {
    order: checkout,
    paidId: sessionId,
    paidAt: paidSince(session.created, cause),
    customerId: session.customer === null ? null : idOf(session.customer),
    subscription: null,
    mark: (tx) => markSeen(tx, cause, deps.clock.now()),
  });
}

/**
 * Applies a session that is over. It is not fetched for its event: most links are never paid, and
 * Stripe counts reads. Were the event wrong, the payment would count all the same when it comes.
 */
async function applyExpired(
  deps: StripeDeps,
  session: Pick<Stripe.Checkout.Session, "id" | "metadata">,
  cause: Cause,
): Promise<void> {
  const checkout = await findCheckout(deps, session.metadata);
  if (checkout === null) return;
  await deps.store.transact(async (tx) => {
    if (!await markSeen(tx, cause, deps.clock.now())) return;
    await noteSessionExpired(tx, { checkoutId: checkout.id, sessionId: session.id });
  });
}

/**
 * Applies a session that is complete but not paid: the payment method confirms later. While it may
 * still pay, the order stays open; when it failed, the order ends unpaid.
 */
async function applyUnpaid(
  deps: StripeDeps,
  options: { checkout: Checkout; session: Stripe.Checkout.Session; cause: Cause },
): Promise<void> {
  const { checkout, session, cause } = options;
  if (session.payment_intent === null) return;
  const intentId = idOf(session.payment_intent);
  const intent = await fetchObject(() => deps.stripe.paymentIntents.retrieve(intentId));
  if (intent === null || intent.status === "succeeded") return;
  await deps.store.transact(async (tx) => {
    if (!await markSeen(tx, cause, deps.clock.now())) return;
    const { value } = await tx.get<Checkout>(paymentKeys.checkout(checkout.id));
    if (value === null || value.status === "completed") return;
    // While the payment is under way the checkout stays open, so that the reconciliation looks
    // again.
    const isAwaited = intent.status === "requires_action" &&
      deps.clock.now() - value.createdAt < AWAITED_MS;
    const status = intent.status === "processing" || isAwaited ? "open" : "failed";
    writeCheckout(tx, { ...value, status, sessionId: session.id, isPaying: true });
  });
}

/** Applies the state of a payment intent: the hold of a bid. */
export async function applyIntent(
  deps: StripeDeps,
  intentId: string,
  cause: Cause,
): Promise<void> {
  const intent = await fetchObject(() =>
    deps.stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge"] })
  );
  if (intent === null) return;
  const bid = await findCheckout(deps, intent.metadata);
  if (bid?.kind !== "bid") return;
  const fits = intent.amount === bid.totalCents && intent.currency === CURRENCY &&
    intent.capture_method === "manual" && hasMetadataOf(bid, intent.metadata);
  if (!fits) return await noteDoubt(deps, { id: bid.id, object: intentId, checkout: bid });
  await dropDoubt(deps, bid.id);
  if (intent.status === "requires_capture") {
    const hold = {
      bidId: bid.id,
      intentId,
      heldAt: intent.created * 1000,
      captureBefore: captureBefore(intent),
    };
    return await judgeBid(deps, hold, (tx) => markSeen(tx, cause, deps.clock.now()));
  }
  if (intent.status === "succeeded") return await applyCaptured(deps, { bid, intentId, cause });
  if (intent.status !== "canceled") return;
  await transactWithAlert(deps, async (tx) => {
    if (!await markSeen(tx, cause, deps.clock.now())) return null;
    const state = await noteReleased(tx, bid.id, intentId);
    if (state !== "high") return null;
    return { what: "The hold of a leading bid ended at Stripe", details: { bidId: bid.id } };
  });
}

/** Applies a hold that somebody captured by hand in Stripe's Dashboard, before or instead of us. */
async function applyCaptured(
  deps: StripeDeps,
  options: { bid: BidCheckout; intentId: string; cause: Cause },
): Promise<void> {
  const { bid, intentId, cause } = options;
  await transactWithAlert(deps, async (tx) => {
    if (!await markSeen(tx, cause, deps.clock.now())) return null;
    if (!await noteCaptured(tx, bid.id, intentId)) return null;
    return { what: "A hold was captured that does not lead", details: { bidId: bid.id, intentId } };
  });
}

function captureBefore(intent: Stripe.PaymentIntent): number | null {
  const charge = intent.latest_charge;
  if (charge === null || typeof charge === "string") return null;
  const seconds = charge.payment_method_details?.card?.capture_before;
  return seconds === undefined ? null : seconds * 1000;
}
