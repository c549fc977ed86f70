/**
 * Finds what no webhook told us: events, sessions, renewals and invoices go through the same
 * functions as webhooks, and records that wait for an answer are brought to an end.
 *
 * Stripe lets an account read 10,000 times a month, or 500 times for each of its payments if that
 * is more. So every ten minutes there is one list, of the events that webhooks should have brought,
 * while anything is awaited. What events may not tell is read less often: sessions, invoices, holds
 * and payments under way once an hour, renewals once a day.
 */
import type Stripe from "stripe";
import { auctionKeys } from "../auctions/keys.ts";
import { listLeading } from "../auctions/leading.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../clock.ts";
import { listIds, listValues } from "../kv/ranges.ts";
import { promotionKeys } from "../promotions/keys.ts";
import { expireHiddenLinks } from "../promotions/sweep.ts";
import { convergeCheckout, writeCheckout } from "./checkout.ts";
import { hasStripe, type PaymentDeps, type StripeDeps } from "./context.ts";
import { isLeftAlone, noteUnknownOrder } from "./doubts.ts";
import { applyEvent, applyIntent, applySession, EVENT_TYPES } from "./events.ts";
import { failureFields } from "./failures.ts";
import { paymentKeys } from "./keys.ts";
import { findCheckout } from "./objects.ts";
import { repeatOperations } from "./operation_runner.ts";
import { applyInvoice, applySubscriptionId } from "./renewals.ts";
import type { Checkout } from "./schema.ts";
import { checkoutIdOf } from "./session_params.ts";

/** A request has certainly ended after this long. */
const SETTLED_AFTER_MS = 2 * MINUTE_MS;
/** By how much an event may be listed late, or dated by a clock that is behind ours. */
const EVENT_MARGIN_MS = 10 * MINUTE_MS;
/** Sessions can be paid for a day after they were made. */
const SESSION_WINDOW_MS = 25 * HOUR_MS;
/**
 * After this many failed items of one part, Stripe or KV is assumed to be down and the part is
 * left.
 */
const MOST_FAILURES = 5;
/** How far the first reconciliation looks back. */
const FIRST_WINDOW_MS = 365 * DAY_MS;
/** Stripe tries to collect a renewal for up to two months after the invoice was made. */
const INVOICE_WINDOW_MS = 65 * DAY_MS;

/**
 * Brings everything in line with Stripe. Safe to run at any time, twice, or in two processes. If
 * one part fails the others still run. Returns whether all of it succeeded.
 */
export async function reconcile(deps: PaymentDeps): Promise<boolean> {
  if (!hasStripe(deps)) return true;
  const startedAt = deps.clock.now();
  const since = Math.min(await lastReconciled(deps) ?? startedAt - FIRST_WINDOW_MS, startedAt);
  // Whether this is the first complete run of an hour or a day.
  const isFirstOf = (ms: number) => Math.floor(startedAt / ms) > Math.floor(since / ms);
  const isHourly = isFirstOf(HOUR_MS);
  const parts: [part: string, isDue: boolean, run: () => Promise<unknown>][] = [
    ["events", true, () => reconcileEvents(deps, since - EVENT_MARGIN_MS)],
    ["sessions", isHourly, () => reconcileSessions(deps, since - SESSION_WINDOW_MS)],
    ["invoices", isHourly, () => reconcileInvoices(deps, since - INVOICE_WINDOW_MS)],
    ["checkouts", true, () => convergeCheckouts(deps, { isHourly })],
    ["hidden_links", true, () => expireHiddenLinks(deps)],
    ["subscriptions", isFirstOf(DAY_MS), () => reconcileSubscriptions(deps)],
    ["holds", isHourly, () => reconcileHolds(deps)],
    ["operations", true, () => repeatOperations(deps)],
  ];
  let complete = true;
  for (const [part, isDue, run] of parts) {
    if (!isDue) continue;
    try {
      await run();
    } catch (error) {
      complete = false;
      deps.log.warn("reconciliation_failed", { part, ...failureFields(error) });
    }
  }
  if (complete) {
    await deps.store.transact((tx) => {
      tx.set(paymentKeys.health("reconciled"), startedAt);
    });
  }
  return complete;
}

async function lastReconciled(deps: PaymentDeps): Promise<number | null> {
  return (await deps.store.get<number>(paymentKeys.health("reconciled"))).value;
}

/** Applies the events that no webhook has brought. */
async function reconcileEvents(deps: StripeDeps, since: number): Promise<void> {
  if (!await awaitsNews(deps)) return;
  const events = deps.stripe.events.list({
    types: [...EVENT_TYPES],
    created: { gte: Math.floor(since / 1000) },
    limit: 100,
  });
  await forEach(events, async (event) => {
    // Other sellers may use the same Stripe account: what is theirs is not fetched.
    const metadata = metadataIn(event);
    if (metadata && await findCheckout(deps, metadata) === null) return;
    await applyEvent(deps, event, { isListed: true });
  });
}

/** Whether Stripe can have news: a link is open, a renewal lives or an auction is to be settled. */
async function awaitsNews({ store }: StripeDeps): Promise<boolean> {
  const { openCheckouts } = paymentKeys;
  for (const prefix of [openCheckouts, promotionKeys.allByTier, auctionKeys.allUnsettled]) {
    for await (const _ of store.list({ prefix }, { limit: 1 })) return true;
  }
  return false;
}

/** What links the object of an event to its checkout; nothing if the event does not show it. */
function metadataIn({ type, data }: Stripe.Event): Stripe.Metadata | null | undefined {
  const object = data.object as Partial<Pick<Stripe.Invoice, "metadata" | "parent">>;
  return type === "invoice.paid" ? object.parent?.subscription_details?.metadata : object.metadata;
}

/** Grants or judges sessions that were paid, unless that has happened. */
async function reconcileSessions(deps: StripeDeps, since: number): Promise<void> {
  const sessions = deps.stripe.checkout.sessions.list({
    status: "complete",
    created: { gte: Math.floor(since / 1000) },
    limit: 100,
  });
  await forEach(sessions, async (session) => {
    const id = checkoutIdOf(session.metadata);
    if (id === null) return;
    const { value } = await deps.store.get<Checkout>(paymentKeys.checkout(id));
    if (value === null) return await noteUnknownOrder(deps, session);
    if (isSettled(value) || await isLeftAlone(deps, id)) return;
    await applySession(deps, session.id, null);
  });
}

/**
 * Works on each item, even after one has failed: what is wrong with one payment must not keep
 * others from what they paid for. In the end throws the first failure.
 */
async function forEach<T>(
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
      if (failures.length === MOST_FAILURES) break;
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Whether nothing more can follow from a checkout's session. */
function isSettled(checkout: Checkout): boolean {
  if (checkout.status !== "completed") return false;
  return checkout.kind === "promotion" || checkout.state !== "pending";
}

/** Grants the paid periods of renewals. */
async function reconcileInvoices(deps: StripeDeps, since: number): Promise<void> {
  const invoices = deps.stripe.invoices.list({
    status: "paid",
    created: { gte: Math.floor(since / 1000) },
    limit: 100,
  });
  await forEach(invoices, async (invoice) => {
    const details = invoice.parent?.subscription_details;
    if (!details) return;
    const granted = await deps.store.get(paymentKeys.grant(invoice.id));
    if (granted.value !== null || await isLeftAlone(deps, invoice.id)) return;
    // Other sellers may use the same Stripe account: their invoices are not fetched.
    const { metadata } = details;
    if (metadata !== null && await findCheckout(deps, metadata) === null) return;
    await applyInvoice(deps, invoice.id, null);
  });
}

/** Brings checkouts to an end that wait for an answer of Stripe, or whose session must be over. */
async function convergeCheckouts(
  deps: StripeDeps,
  { isHourly }: { isHourly: boolean },
): Promise<void> {
  const ids = await listIds(deps.store, paymentKeys.openCheckouts);
  const checkouts = await deps.store.getMany<Checkout>(ids.map((id) => paymentKeys.checkout(id)));
  const now = deps.clock.now();
  await forEach(checkouts, async ({ value }) => {
    if (value === null) return;
    if (value.status === "creating" && value.createdAt + SETTLED_AFTER_MS < now) {
      await convergeCheckout(deps, value);
    }
    const mayLook = isHourly || !value.isPaying;
    if (value.status === "open" && mayLook && value.expiresAt + SETTLED_AFTER_MS < now) {
      const goesOn = !await isLeftAlone(deps, value.id) &&
        await applySession(deps, value.sessionId!, null);
      if (!goesOn) await failCheckout(deps, value.id);
    }
  });
}

/**
 * Ends a checkout whose session Stripe does not have, because it was made with the key of another
 * account, or whose payment does not match it.
 */
async function failCheckout(deps: StripeDeps, id: string): Promise<void> {
  await deps.store.transact(async (tx) => {
    const { value } = await tx.get<Checkout>(paymentKeys.checkout(id));
    if (value?.status === "open") writeCheckout(tx, { ...value, status: "failed" });
  });
}

/** Looks at the holds of bids that lead: one may have ended at Stripe. */
async function reconcileHolds(deps: StripeDeps): Promise<void> {
  const leading = await listLeading(deps.store);
  await forEach(leading, async ({ auction, bid }) => {
    if (bid?.hold === "held") await applyIntent(deps, auction.high.intentId, null);
  });
}

/** Notes renewals that ended at Stripe. */
async function reconcileSubscriptions(deps: StripeDeps): Promise<void> {
  const live = await listValues<string>(deps.store, promotionKeys.allByTier);
  await forEach(live, (id) => applySubscriptionId(deps, id, null));
}
