/**
 * Applies the state of Stripe objects. An event only names the object; the object is then fetched.
 * So order and repetition do not matter, and a forged event changes nothing (except for
 * `applyExpired`). The webhook and reconciliation both use these functions.
 */
import type Stripe from "stripe";
import { DAY_MS } from "../clock.ts";
import { noteSessionExpired, writeCheckout } from "./checkout.ts";
import type { StripeDeps } from "./deps.ts";
import { noteDoubt, noteUnknownOrder } from "./doubts.ts";
import { CURRENCY } from "./fees.ts";
import { paymentKeys } from "./keys.ts";
import { type CompleteSession, hasMetadataOf, kindOf } from "./kinds.ts";
import { type Cause, fetchObject, findCheckout, idOf, markSeen } from "./objects.ts";
import type { Checkout } from "./schema.ts";

/**
 * How long reconciliation waits for a payer to act, for example by sending a transfer or verifying
 * an account. Stripe gives them ten days. A webhook may come even later.
 */
const AWAITED_MS = 14 * DAY_MS;

/** The objects of the events we handle, by event type. */
const EVENTS = {
  "checkout.session.async_payment_failed": "session",
  "checkout.session.async_payment_succeeded": "session",
  "checkout.session.completed": "session",
  "checkout.session.expired": "session",
  "customer.subscription.deleted": "subscription",
  "customer.subscription.updated": "subscription",
  "invoice.paid": "invoice",
  "payment_intent.amount_capturable_updated": "intent",
  "payment_intent.canceled": "intent",
} as const satisfies Partial<Record<Stripe.Event.Type, string>>;

const ABOUT = new Map<string, typeof EVENTS[keyof typeof EVENTS]>(Object.entries(EVENTS));

/** The event types we handle. A Stripe endpoint doesn't have to send any others. */
export const EVENT_TYPES = Object.keys(EVENTS) as (keyof typeof EVENTS)[];

/**
 * Applies an event with a verified signature, or one that Stripe listed (`isListed`). Events of
 * other types or about other sellers' objects do nothing.
 */
export async function applyEvent(
  deps: StripeDeps,
  event: Stripe.Event,
  { isListed = false } = {},
): Promise<void> {
  const { id, type, created } = event;
  const cause = { id, type, listedAs: isListed ? created : undefined };
  if ((await deps.store.get(paymentKeys.event(id))).value !== null) return;
  if (event.type === "checkout.session.expired") {
    return await applyExpired(deps, event.data.object, cause);
  }
  const about = ABOUT.get(type);
  if (about === undefined) return;
  const { id: objectId } = event.data.object as { id: string };
  if (about === "session") return void await applySession(deps, objectId, cause);
  for (const kind of deps.paymentKinds) await kind.applies[about]?.(deps, objectId, cause);
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
    hasMetadataOf(deps, checkout, session.metadata);
  if (!fits) return await noteDoubt(deps, { id: checkout.id, object: sessionId, checkout });
  if (session.status !== "complete") return;
  await kindOf(deps, checkout).applyComplete(deps, { checkout, session, cause });
}

/**
 * Applies an expired session without fetching it: most links are never paid, and Stripe limits
 * reads. If the event were wrong, the payment would still count when it arrives.
 */
async function applyExpired(
  deps: StripeDeps,
  session: Pick<Stripe.Checkout.Session, "id" | "metadata">,
  cause: Cause,
): Promise<void> {
  const checkout = await findCheckout(deps, session.metadata);
  if (checkout === null) return;
  await deps.store.transact(async (tx) => {
    if (!await markSeen(tx, cause)) return;
    await noteSessionExpired(tx, { checkoutId: checkout.id, sessionId: session.id });
  });
}

/**
 * Applies a session that is complete but unpaid: the payment method confirms later. While payment
 * is possible, the order stays open; if it failed, the order ends unpaid.
 */
export async function applyUnpaid(
  deps: StripeDeps,
  { checkout, session, cause }: CompleteSession<Checkout>,
): Promise<void> {
  if (session.payment_intent === null) return;
  const intentId = idOf(session.payment_intent);
  const intent = await fetchObject(() => deps.stripe.paymentIntents.retrieve(intentId));
  if (intent === null || intent.status === "succeeded") return;
  await deps.store.transact(async (tx) => {
    if (!await markSeen(tx, cause)) return;
    const { value } = await tx.get<Checkout>(paymentKeys.checkout(checkout.id));
    if (value === null || value.status === "completed") return;
    // The order was retried: it has another link, or will.
    if (value.sessionId !== session.id) return;
    // While the payment is pending, the checkout stays open so reconciliation checks it again.
    const isAwaited = intent.status === "requires_action" &&
      deps.clock.now() - value.createdAt < AWAITED_MS;
    const status = intent.status === "processing" || isAwaited ? "open" : "failed";
    writeCheckout(tx, { ...value, status, isPaying: true });
  });
}
