/**
 * Applies the state of Stripe's objects. An event only says which object to look at; the object is
 * then fetched, so that order and repetition do not matter and a forged event changes nothing. The
 * webhook and the reconciliation both come through here.
 */
import type Stripe from "stripe";
import { judgeBid } from "../auctions/bids.ts";
import { noteCaptured, noteReleased, noteSessionExpired } from "../auctions/settle.ts";
import { DAY_MS, HOUR_MS } from "../clock.ts";
import type { Tx } from "../kv/store.ts";
import { promotionKeys } from "../promotions/keys.ts";
import { applyPaidOrder, applySubscription } from "../promotions/payments.ts";
import { hasEnded } from "../promotions/subscriptions.ts";
import { transactWithAlert } from "./alerts.ts";
import { writeCheckout } from "./checkout.ts";
import type { StripeDeps } from "./context.ts";
import { dropDoubt, noteDoubt, noteUnknownOrder } from "./doubts.ts";
import { isMissing, requireStripeError, stripeFailed } from "./failures.ts";
import { CURRENCY } from "./fees.ts";
import { paymentKeys } from "./keys.ts";
import type { BidCheckout, Checkout, PromotionCheckout } from "./schema.ts";
import { checkoutIdOf, hasMetadataOf } from "./session_params.ts";

const EVENT_TTL_MS = 40 * DAY_MS;

/**
 * For how long the reconciliation waits for a payer to act, such as to send a transfer or to verify
 * an account, for which Stripe gives ten days. A webhook may come even later.
 */
const AWAITED_MS = 14 * DAY_MS;

/**
 * For how long a promotion that renews runs on after the period that was paid for: Stripe collects
 * the next one about an hour after it has begun.
 */
export const COLLECTED_WITHIN_MS = 2 * HOUR_MS;

/** The event that led to an object; null in the reconciliation. */
export type Cause = Pick<Stripe.Event, "id" | "type" | "created"> | null;

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
 * Applies an event whose signature was verified. Events of other types and of strangers' objects do
 * nothing.
 */
export async function applyEvent(deps: StripeDeps, event: Stripe.Event): Promise<void> {
  if ((await deps.store.get(paymentKeys.event(event.id))).value !== null) return;
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_failed":
    case "checkout.session.async_payment_succeeded":
      await applySession(deps, event.data.object.id, event);
      return;
    case "checkout.session.expired":
      return await applyExpired(deps, event.data.object, event);
    case "payment_intent.amount_capturable_updated":
    case "payment_intent.canceled":
      return await applyIntent(deps, event.data.object.id, event);
    case "invoice.paid":
      return await applyInvoice(deps, event.data.object.id, event);
    case "customer.subscription.deleted":
    case "customer.subscription.updated":
      return await applySubscriptionId(deps, event.data.object.id, event);
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
  const sessionId = session.id;
  const checkout = await findCheckout(deps, session.metadata);
  if (checkout === null) {
    if (session.status === "complete") await noteUnknownOrder(deps, session);
    return;
  }
  if (session.status === "expired") return await applyExpired(deps, session, cause);
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
    paidAt: paidSince(session, cause),
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
    const hold = { bidId: bid.id, intentId, captureBefore: captureBefore(intent) };
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

/** Applies a paid invoice: one period of a renewal. */
export async function applyInvoice(
  deps: StripeDeps,
  invoiceId: string,
  cause: Cause,
): Promise<void> {
  const invoice = await fetchObject(() => deps.stripe.invoices.retrieve(invoiceId));
  const details = invoice?.parent?.subscription_details;
  if (invoice === null || invoice.status !== "paid" || !details) return;
  const subscription = await fetchObject(() =>
    deps.stripe.subscriptions.retrieve(idOf(details.subscription))
  );
  if (subscription === null) return;
  const order = await findCheckout(deps, subscription.metadata);
  if (order?.kind !== "promotion") return;
  const fits = invoice.total === order.totalCents && invoice.currency === CURRENCY &&
    order.autoRenew && hasMetadataOf(order, subscription.metadata);
  if (!fits) return await noteDoubt(deps, { id: invoiceId, object: invoiceId, checkout: order });
  await dropDoubt(deps, invoiceId);
  await applyRival(deps, order, subscription);
  await applyPaidOrder(deps, {
    order,
    paidId: invoiceId,
    paidAt: paidSince(invoice, cause),
    periodEnd: periodEndOf(invoice),
    customerId: null,
    subscription: toSeen(subscription),
    mark: (tx) => markSeen(tx, cause, deps.clock.now()),
  });
}

/** Applies the state of a subscription: whether it renews. */
export async function applySubscriptionId(
  deps: StripeDeps,
  subscriptionId: string,
  cause: Cause,
): Promise<void> {
  const subscription = await fetchObject(() => deps.stripe.subscriptions.retrieve(subscriptionId));
  if (subscription === null) return;
  const order = await findCheckout(deps, subscription.metadata);
  if (order?.kind !== "promotion" || !order.autoRenew) return;
  if (!hasMetadataOf(order, subscription.metadata)) {
    return await noteDoubt(deps, { id: order.id, object: subscriptionId, checkout: order });
  }
  await dropDoubt(deps, order.id);
  await applyRival(deps, order, subscription);
  await applySubscription(deps, {
    order,
    subscription: toSeen(subscription),
    mark: (tx) => markSeen(tx, cause, deps.clock.now()),
  });
}

/**
 * Notes first whether the renewal that runs for the same listing and tier has ended, if it is not
 * this one: of two, the later is cancelled, and the news of an end may come after it.
 */
async function applyRival(
  deps: StripeDeps,
  { slug, tierId }: PromotionCheckout,
  subscription: Stripe.Subscription,
): Promise<void> {
  const { value: rival } = await deps.store.get<string>(promotionKeys.byTier(slug, tierId));
  if (rival === null || rival === subscription.id || hasEnded(subscription)) return;
  await applySubscriptionId(deps, rival, null);
}

/** When an object was paid at the earliest (ms): Stripe made it before, and the event afterwards. */
function paidSince(object: { created: number }, cause: Cause): number {
  return (cause ?? object).created * 1000;
}

/** Notes an event in the transaction of its effect; false if it has had its effect before. */
async function markSeen(tx: Tx, cause: Cause, now: number): Promise<boolean> {
  if (cause === null) return true;
  const key = paymentKeys.event(cause.id);
  if ((await tx.get(key)).value !== null) return false;
  tx.set(key, { type: cause.type, at: now }, { expireIn: EVENT_TTL_MS });
  return true;
}

/** The checkout that an object's metadata names, or null if the object is not ours. */
export async function findCheckout(
  deps: StripeDeps,
  metadata: Stripe.Metadata | null,
): Promise<Checkout | null> {
  const id = checkoutIdOf(metadata);
  if (id === null) return null;
  return (await deps.store.get<Checkout>(paymentKeys.checkout(id))).value;
}

/**
 * The object as it is now, or null if Stripe has none. Throws `stripe_error`, so that Stripe sends
 * the event again.
 */
async function fetchObject<T>(retrieve: () => Promise<T>): Promise<T | null> {
  try {
    return await retrieve();
  } catch (error) {
    requireStripeError(error);
    if (isMissing(error)) return null;
    throw stripeFailed(error);
  }
}

function toSeen(subscription: Stripe.Subscription) {
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer),
    canceled: hasEnded(subscription),
    ending: subscription.cancel_at_period_end || subscription.cancel_at !== null,
  };
}

function captureBefore(intent: Stripe.PaymentIntent): number | null {
  const charge = intent.latest_charge;
  if (charge === null || typeof charge === "string") return null;
  const seconds = charge.payment_method_details?.card?.capture_before;
  return seconds === undefined ? null : seconds * 1000;
}

/**
 * Until when (ms) an invoice keeps a promotion running: until the end of the period that it pays for,
 * plus the time in which the next one is collected. The period is that of its lines; lines of a
 * proration have none. Without any line it is long past, and the order then gets the tier's days alone.
 */
function periodEndOf(invoice: Stripe.Invoice): number {
  const ends = invoice.lines.data
    .filter((line) => line.parent?.subscription_item_details?.proration === false)
    .map((line) => line.period.end * 1000);
  return Math.max(0, ...ends) + COLLECTED_WITHIN_MS;
}

function idOf(reference: string | { id: string }): string {
  return typeof reference === "string" ? reference : reference.id;
}
