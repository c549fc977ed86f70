/**
 * Finds what no webhook told us: recent sessions, renewals and invoices go through the same
 * functions as webhooks, and records that wait for an answer are brought to an end.
 *
 * Stripe lets an account read 10,000 times a month, or 500 times for each of its payments if that
 * is more. So every ten minutes there are only two lists, of new sessions while a link is open and of
 * paid invoices while anything renews, and the holds of the few bids that lead are read. What else has
 * to be read one by one is read less often: payments under way once an hour, renewals once a day.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../clock.ts";
import { closeDueAuctions } from "../auctions/closing.ts";
import { listLeading } from "../auctions/leading.ts";
import { listIds } from "../kv/ranges.ts";
import { listingKeys } from "../listings/keys.ts";
import type { StoredListing } from "../listings/schema.ts";
import { promotionKeys } from "../promotions/keys.ts";
import { expireHiddenLinks } from "../promotions/sweep.ts";
import { cancelRenewals } from "../promotions/subscriptions.ts";
import { convergeCheckout, writeCheckout } from "./checkout.ts";
import { hasStripe, type PaymentDeps, type StripeDeps } from "./context.ts";
import { isLeftAlone, noteUnknownOrder } from "./doubts.ts";
import {
  applyIntent,
  applyInvoice,
  applySession,
  applySubscriptionId,
  findCheckout,
} from "./events.ts";
import { failureFields } from "./failures.ts";
import { paymentKeys } from "./keys.ts";
import { repeatOperations, runOperations } from "./performers.ts";
import type { Checkout } from "./schema.ts";
import { checkoutIdOf } from "./session_params.ts";

/** A request has certainly ended after this long. */
const SETTLED_AFTER_MS = 2 * MINUTE_MS;
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
    ["sessions", true, () => reconcileSessions(deps, since - SESSION_WINDOW_MS, { isHourly })],
    ["invoices", true, () => reconcileInvoices(deps, since - INVOICE_WINDOW_MS, { isHourly })],
    ["checkouts", true, () => convergeCheckouts(deps, { isHourly })],
    ["hidden_links", true, () => expireHiddenLinks(deps)],
    ["subscriptions", isFirstOf(DAY_MS), () => reconcileSubscriptions(deps)],
    ["holds", true, () => reconcileHolds(deps)],
    ["auctions", true, () => closeDueAuctions(deps)],
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

/** Grants or judges sessions that were paid, unless that has happened. */
async function reconcileSessions(
  deps: StripeDeps,
  since: number,
  { isHourly }: { isHourly: boolean },
): Promise<void> {
  // Without an open link, only an order that a restored database has lost can have been paid.
  if (!isHourly && (await listIds(deps.store, paymentKeys.openCheckouts)).length === 0) return;
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
    const mayHaveNews = isHourly || !value.isPaying || session.payment_status === "paid";
    if (isSettled(value) || !mayHaveNews || await isLeftAlone(deps, id)) return;
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
async function reconcileInvoices(
  deps: StripeDeps,
  since: number,
  { isHourly }: { isHourly: boolean },
): Promise<void> {
  // Without a renewal, only the last invoice of one that has ended can have been paid.
  if (!isHourly && (await listIds(deps.store, promotionKeys.allByTier)).length === 0) return;
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

/** Notes renewals that ended at Stripe, and cancels those of hidden listings. */
async function reconcileSubscriptions(deps: StripeDeps): Promise<void> {
  const live: { id: string; slug: string }[] = [];
  for await (const { key, value } of deps.store.list<string>({ prefix: promotionKeys.allByTier })) {
    live.push({ id: value, slug: key[1] as string });
  }
  await forEach(live, async ({ id, slug }) => {
    const { value } = await deps.store.get<StoredListing>(listingKeys.one(slug));
    if (value?.state === "hidden") {
      const operations = await deps.store.transact((tx) =>
        cancelRenewals(tx, slug, deps.clock.now())
      );
      await runOperations(deps, operations);
    } else {
      await applySubscriptionId(deps, id, null);
    }
  });
}
