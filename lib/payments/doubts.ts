/**
 * Payments that do not match their order. They grant nothing, and the operator is told.
 * Reconciliation keeps checking them for one day, in case someone corrects them at Stripe.
 */
import type Stripe from "stripe";
import { DAY_MS, HOUR_MS } from "../clock.ts";
import { listValues } from "../kv/ranges.ts";
import { alertOperator } from "./alerts.ts";
import { writeCheckout } from "./checkout.ts";
import type { Deps } from "./deps.ts";
import { paymentKeys } from "./keys.ts";
import { checkoutIdOf } from "./kinds.ts";
import type { Checkout, Doubt } from "./schema.ts";

const LOOKED_AT_MS = DAY_MS;

/**
 * Whether reconciliation has stopped checking a doubt by `now` (ms). A date in the future means
 * that the clock was ahead and has been set back.
 */
export function isGivenUp(doubt: Doubt, now: number): boolean {
  return Math.abs(now - doubt.at) > LOOKED_AT_MS;
}

/** Records that the amount, currency or metadata of a Stripe object differs from the order. */
export async function noteDoubt(
  deps: Deps,
  { id, object, checkout }: Pick<Doubt, "id" | "object"> & { checkout: Checkout },
): Promise<void> {
  const { id: checkoutId, slug } = checkout;
  await alertOperator(deps, "A Stripe object doesn't match its order", { checkoutId, object });
  const key = paymentKeys.doubt(id);
  await deps.store.transact(async (tx) => {
    if ((await tx.get(key)).value !== null) return;
    const at = deps.clock.now();
    tx.setExpiring(key, { id, object, checkoutId, slug, at } satisfies Doubt);
  });
}

/**
 * Alerts the operator to a paid session whose order is missing here. This happens after restoring
 * an older copy of the database: the payer got nothing, and a renewal goes on. Sessions of other
 * sellers on the same Stripe account, such as another site running this program, return to other
 * URLs and are ignored.
 */
export async function noteUnknownOrder(
  deps: Deps,
  { id, metadata, success_url }: Stripe.Checkout.Session,
): Promise<void> {
  const checkoutId = checkoutIdOf(deps, metadata);
  if (checkoutId === null || !success_url?.startsWith(deps.urls.to("/"))) return;
  const what = "A payment is for an order that is not in this database";
  await alertOperator(deps, what, { checkoutId, object: id });
}

/** Drops a doubt, because the payment matches now. */
export async function dropDoubt(deps: Deps, id: string): Promise<void> {
  const key = paymentKeys.doubt(id);
  if ((await deps.store.get(key)).value === null) return;
  await deps.store.transact((tx) => tx.delete(key));
}

/** Whether reconciliation must stop checking a checkout or an invoice. */
export async function isLeftAlone(deps: Deps, id: string): Promise<boolean> {
  const { value } = await deps.store.get<Doubt>(paymentKeys.doubt(id));
  return value !== null && isGivenUp(value, deps.clock.now());
}

/** All doubts, oldest first. */
export async function listDoubts({ store }: Deps): Promise<Doubt[]> {
  const doubts = await listValues<Doubt>(store, paymentKeys.doubts);
  return doubts.sort((a, b) => a.at - b.at);
}

/** Makes the next reconciliation check doubtful payments again. Returns how many there are. */
export async function retryDoubts(deps: Deps): Promise<number> {
  const doubts = await listDoubts(deps);
  if (doubts.length === 0) return 0;
  await deps.store.transact(async (tx) => {
    // Backdated by an hour so the next run also reads the hourly lists.
    const { key, value: reconciledAt } = await tx.get<number>(paymentKeys.health("reconciled"));
    if (reconciledAt !== null) tx.set(key, reconciledAt - HOUR_MS);
  });
  for (const { id } of doubts) {
    await deps.store.transact(async (tx) => {
      const { value: checkout } = await tx.get<Checkout>(paymentKeys.checkout(id));
      tx.delete(paymentKeys.doubt(id));
      if (checkout?.status !== "failed") return;
      // Without a session, reconciliation must search for one first.
      const status = checkout.sessionId === null ? "creating" : "open";
      writeCheckout(tx, { ...checkout, status });
    });
  }
  return doubts.length;
}
