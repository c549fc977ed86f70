/**
 * Finds what webhooks missed: events, sessions, renewals and invoices go through the same functions
 * as webhooks, and records that wait for a response are closed.
 *
 * Stripe allows an account 10,000 reads a month, or 500 per payment if that is more. So every ten
 * minutes we read only the list of events that webhooks should have delivered, and only while
 * something is pending. Data that events can miss is read less often: sessions, invoices, holds and
 * pending payments hourly, renewals daily.
 */
import type Stripe from "stripe";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../clock.ts";
import { listIds } from "../kv/ranges.ts";
import { writeCheckout } from "./checkout.ts";
import { type Deps, hasStripe, type StripeDeps } from "./deps.ts";
import { isLeftAlone, noteUnknownOrder } from "./doubts.ts";
import { applyEvent, applySession, EVENT_TYPES } from "./events.ts";
import { failureFields } from "./failures.ts";
import { paymentKeys } from "./keys.ts";
import { checkoutIdOf, kindOf } from "./kinds.ts";
import { findCheckout } from "./objects.ts";
import { convergeCheckout } from "./open_checkout.ts";
import { runOperations, settleDue } from "./operation_runner.ts";
import { queueOperation } from "./operations.ts";
import { expiryOf } from "./performers.ts";
import type { Checkout } from "./schema.ts";

/** Any request has certainly ended after this long. */
const SETTLED_AFTER_MS = 2 * MINUTE_MS;
/** How late an event may be listed, or how far apart two clocks may be. */
const EVENT_MARGIN_MS = 10 * MINUTE_MS;
/** Sessions can be paid for one day after creation. */
const SESSION_WINDOW_MS = 25 * HOUR_MS;
/** After this many failed items in one part, we assume Stripe or KV is down and skip the rest. */
const MOST_FAILURES = 5;
/** How far back a reconciliation looks if it doesn't know when the last one was. */
const FIRST_WINDOW_MS = 365 * DAY_MS;

/**
 * What to check: the start (ms) of the last complete reconciliation, and whether this is the first
 * one of an hour and Stripe may have news.
 */
export async function readOutlook(deps: StripeDeps) {
  const now = deps.clock.now();
  const { value } = await deps.store.get<number>(paymentKeys.health("reconciled"));
  // A time in the future means that the clock was set back, so we can't tell how long ago it was.
  const isKnown = value !== null && value <= now + EVENT_MARGIN_MS;
  const since = isKnown ? Math.min(value, now) : now - FIRST_WINDOW_MS;
  const isHourly = isFirstOf(HOUR_MS, since, now);
  return { now, since, isHourly, awaitsNews: await awaitsNews(deps) };
}

/** Whether the last run (`since`) was before the current interval of `ms` began. */
function isFirstOf(ms: number, since: number, now: number): boolean {
  return Math.floor(now / ms) > Math.floor(since / ms);
}

/**
 * Brings everything in line with Stripe. Safe to run at any time, twice, or in two processes. If
 * one part fails, the others still run. Returns whether everything succeeded.
 */
export async function reconcile(
  deps: Deps,
  known?: Awaited<ReturnType<typeof readOutlook>>,
): Promise<boolean> {
  if (!hasStripe(deps)) return true;
  const { now, since, isHourly, awaitsNews } = known ?? await readOutlook(deps);
  const parts: [part: string, isDue: boolean, run: () => Promise<unknown>][] = [
    ["events", awaitsNews, () => reconcileEvents(deps, since - EVENT_MARGIN_MS)],
    ["sessions", isHourly, () => reconcileSessions(deps, since - SESSION_WINDOW_MS)],
    ["checkouts", true, () => convergeCheckouts(deps, { isHourly })],
    ["useless_links", true, () => expireUselessLinks(deps)],
  ];
  for (const { name, every, run } of deps.paymentKinds.flatMap(({ reconciles }) => reconciles)) {
    parts.push([name, isFirstOf(every, since, now), () => run(deps, since)]);
  }
  parts.push(["due", true, () => settleDue(deps)]);
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
  if (complete) await deps.store.transact((tx) => tx.set(paymentKeys.health("reconciled"), now));
  return complete;
}

/** Applies events that no webhook delivered. */
async function reconcileEvents(deps: StripeDeps, since: number): Promise<void> {
  const events = deps.stripe.events.list({
    types: [...EVENT_TYPES],
    created: { gte: Math.floor(since / 1000) },
    limit: 100,
  });
  await forEach(events, async (event) => {
    // Other sellers may use the same Stripe account: we do not fetch their objects.
    const metadata = metadataIn(event);
    if (metadata && await findCheckout(deps, metadata) === null) return;
    await applyEvent(deps, event, { isListed: true });
  });
}

/** Whether Stripe may have news: a link is open, or a kind awaits some. */
async function awaitsNews({ store, paymentKinds }: StripeDeps): Promise<boolean> {
  const prefixes = [paymentKeys.openCheckouts, ...paymentKinds.map(({ awaited }) => awaited)];
  for (const prefix of prefixes) {
    for await (const _ of store.list({ prefix }, { limit: 1 })) return true;
  }
  return false;
}

/**
 * The metadata that links an event's object to its checkout; null if the event does not show it.
 */
function metadataIn({ type, data }: Stripe.Event): Stripe.Metadata | null | undefined {
  const object = data.object as Partial<Pick<Stripe.Invoice, "metadata" | "parent">>;
  return type === "invoice.paid" ? object.parent?.subscription_details?.metadata : object.metadata;
}

/** Grants or judges paid sessions, unless already done. */
async function reconcileSessions(deps: StripeDeps, since: number): Promise<void> {
  const sessions = deps.stripe.checkout.sessions.list({
    status: "complete",
    created: { gte: Math.floor(since / 1000) },
    limit: 100,
  });
  await forEach(sessions, async (session) => {
    const id = checkoutIdOf(deps, session.metadata);
    if (id === null) return;
    const { value } = await deps.store.get<Checkout>(paymentKeys.checkout(id));
    if (value === null) return await noteUnknownOrder(deps, session);
    if (value.status === "completed" || await isLeftAlone(deps, id)) return;
    await applySession(deps, session.id, null);
  });
}

/** Ends checkouts that wait for a response from Stripe, or whose session must be over. */
async function convergeCheckouts(
  deps: StripeDeps,
  { isHourly }: { isHourly: boolean },
): Promise<void> {
  const now = deps.clock.now();
  await forEach(await listOpen(deps), async (value) => {
    if (value.status === "creating" && Math.abs(now - value.createdAt) > SETTLED_AFTER_MS) {
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

/** The checkouts that can be paid, or whose outcome is unknown. */
export async function listOpen({ store }: Pick<Deps, "store">): Promise<Checkout[]> {
  const ids = await listIds(store, paymentKeys.openCheckouts);
  const checkouts = await store.getMany<Checkout>(ids.map(paymentKeys.checkout));
  return checkouts.flatMap(({ value }) => value === null ? [] : [value]);
}

/**
 * Expires open links whose payment would be useless, such as those of hidden listings and of bids
 * that are now too low: all sales are final. It uses only stored data, and repeating it is harmless.
 */
export async function expireUselessLinks(deps: Deps): Promise<void> {
  if (!hasStripe(deps)) return;
  const open = (await listOpen(deps)).filter(({ status }) => status === "open");
  const areUseless = await Promise.all(
    open.map((checkout) => kindOf(deps, checkout).isUseless(deps.store, checkout)),
  );
  const queue = (checkout: Checkout) =>
    deps.store.transact((tx) => queueOperation(tx, expiryOf(checkout)));
  await runOperations(deps, await Promise.all(open.filter((_, i) => areUseless[i]).map(queue)));
}

/**
 * Ends a checkout whose session Stripe does not have, because it was made with another account's
 * key, or whose payment does not match it.
 */
async function failCheckout(deps: StripeDeps, id: string): Promise<void> {
  await deps.store.transact(async (tx) => {
    const { value } = await tx.get<Checkout>(paymentKeys.checkout(id));
    if (value?.status === "open") writeCheckout(tx, { ...value, status: "failed" });
  });
}

/**
 * Processes every item, even after one has failed: a problem with one payment must not keep others
 * from what they paid for. Throws the first failure at the end.
 */
export async function forEach<T>(
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
