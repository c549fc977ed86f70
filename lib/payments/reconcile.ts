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
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../clock.ts";
import { listIds } from "../kv/ranges.ts";
import { rewriteCheckout } from "./checkout.ts";
import { type Deps, hasStripe, type StripeDeps } from "./deps.ts";
import { isLeftAlone, noteUnknownOrder } from "./doubts.ts";
import { applyEvent, applySession, EVENT_TYPES } from "./events.ts";
import { failureFields } from "./failures.ts";
import { paymentKeys } from "./keys.ts";
import { checkoutIdOf, kindOf } from "./kinds.ts";
import { findCheckout } from "./objects.ts";
import { convergeCheckout } from "./open_checkout.ts";
import { runOperations, settleDue } from "./operation_runner.ts";
import { type NewOperation, queueOperations } from "./operations.ts";
import { expiryOf } from "./performers.ts";
import type { Checkout } from "./schema.ts";

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

/**
 * What there is to look at: since when (ms), which is when the last complete reconciliation began, and
 * whether this is the first one of an hour and Stripe can have news.
 */
export async function readOutlook(deps: StripeDeps) {
  const now = deps.clock.now();
  const { value } = await deps.store.get<number>(paymentKeys.health("reconciled"));
  const since = Math.min(value ?? now - FIRST_WINDOW_MS, now);
  const isHourly = isFirstOf(HOUR_MS, since, now);
  return { now, since, isHourly, awaitsNews: await awaitsNews(deps) };
}

/** Whether something has not been done yet in the current one of such times (ms). */
function isFirstOf(ms: number, since: number, now: number): boolean {
  return Math.floor(now / ms) > Math.floor(since / ms);
}

/**
 * Brings everything in line with Stripe. Safe to run at any time, twice, or in two processes. If
 * one part fails the others still run. Returns whether all of it succeeded.
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
    ["vain_links", true, () => expireVainLinks(deps)],
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
  if (complete) {
    await deps.store.transact((tx) => {
      tx.set(paymentKeys.health("reconciled"), now);
    });
  }
  return complete;
}

/** Applies the events that no webhook has brought. */
async function reconcileEvents(deps: StripeDeps, since: number): Promise<void> {
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

/** Whether Stripe can have news: a link is open, or a kind awaits some. */
async function awaitsNews({ store, paymentKinds }: StripeDeps): Promise<boolean> {
  const prefixes = [paymentKeys.openCheckouts, ...paymentKinds.map(({ awaited }) => awaited)];
  for (const prefix of prefixes) {
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
    const id = checkoutIdOf(deps, session.metadata);
    if (id === null) return;
    const { value } = await deps.store.get<Checkout>(paymentKeys.checkout(id));
    if (value === null) return await noteUnknownOrder(deps, session);
    if (value.status === "completed" || await isLeftAlone(deps, id)) return;
    await applySession(deps, session.id, null);
  });
}

/** Brings checkouts to an end that wait for an answer of Stripe, or whose session must be over. */
async function convergeCheckouts(
  deps: StripeDeps,
  { isHourly }: { isHourly: boolean },
): Promise<void> {
  const now = deps.clock.now();
  await forEach(await listOpen(deps), async (value) => {
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

/** The checkouts that can be paid, or whose end we have not heard of. */
async function listOpen({ store }: Deps): Promise<Checkout[]> {
  const ids = await listIds(store, paymentKeys.openCheckouts);
  const checkouts = await store.getMany<Checkout>(ids.map(paymentKeys.checkout));
  return checkouts.flatMap(({ value }) => value === null ? [] : [value]);
}

/**
 * Expires the open links that would be paid in vain, such as those of hidden listings: all sales are
 * final. It works from what is stored, so it may run at any time, and again.
 */
export async function expireVainLinks(deps: Deps): Promise<void> {
  if (!hasStripe(deps)) return;
  const expiries: NewOperation[] = [];
  for (const checkout of await listOpen(deps)) {
    if (checkout.status !== "open") continue;
    if (await kindOf(deps, checkout).isVain(deps.store, checkout)) {
      expiries.push(expiryOf(checkout));
    }
  }
  await runOperations(deps, await queueOperations(deps, expiries));
}

/**
 * Ends a checkout whose session Stripe does not have, because it was made with the key of another
 * account, or whose payment does not match it.
 */
async function failCheckout(deps: StripeDeps, id: string): Promise<void> {
  await deps.store.transact(async (tx) => {
    const { value } = await tx.get<Checkout>(paymentKeys.checkout(id));
    if (value?.status === "open") rewriteCheckout(deps, tx, { ...value, status: "failed" });
  });
}

/**
 * Works on each item, even after one has failed: what is wrong with one payment must not keep
 * others from what they paid for. In the end throws the first failure.
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
