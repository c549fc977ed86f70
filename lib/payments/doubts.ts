/**
 * Payments that do not match their order. Nothing is granted for them and the operator is told. The
 * reconciliation looks at them again for one day, in case someone corrects them at Stripe.
 */
import type Stripe from "stripe";
import { DAY_MS, HOUR_MS } from "../clock.ts";
import { listValues } from "../kv/ranges.ts";
import { alertOperator } from "./alerts.ts";
import { rewriteCheckout } from "./checkout.ts";
import type { Deps } from "./deps.ts";
import { paymentKeys } from "./keys.ts";
import { checkoutIdOf } from "./kinds.ts";
import type { Checkout, Doubt } from "./schema.ts";

const LOOKED_AT_MS = DAY_MS;
const DOUBT_TTL_MS = 90 * DAY_MS;
/** How many doubts one transaction drops. Each reads a key, and KV allows 100 checks. */
const RETRY_MAX = 40;

/** Whether the reconciliation no longer looks at a doubt, at `now` (ms). */
export function isGivenUp(doubt: Doubt, now: number): boolean {
  return now - doubt.at > LOOKED_AT_MS;
}

/** Notes that amount, currency or metadata of an object of Stripe differ from what was ordered. */
export async function noteDoubt(
  deps: Deps,
  doubt: Omit<Doubt, "at" | "slug" | "checkoutId"> & { checkout: Checkout },
): Promise<void> {
  const { id, object, checkout: { id: checkoutId, slug } } = doubt;
  await alertOperator(deps, "A Stripe object doesn't match its order", { checkoutId, object });
  const key = paymentKeys.doubt(id);
  await deps.store.transact(async (tx) => {
    if ((await tx.get(key)).value !== null) return;
    const at = deps.clock.now();
    tx.set(key, { id, object, checkoutId, slug, at } satisfies Doubt, { expireIn: DOUBT_TTL_MS });
  });
}

/**
 * Alerts the operator to a paid session whose order is not here. That happens when an older copy of
 * the database was put back: the payer got nothing, and a renewal goes on. Sessions of other
 * sellers under the same Stripe account, such as another site of this program, return to another
 * address and are ignored.
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

/** Forgets a doubt, because the payment matches now. */
export async function dropDoubt(deps: Deps, id: string): Promise<void> {
  const key = paymentKeys.doubt(id);
  if ((await deps.store.get(key)).value === null) return;
  await deps.store.transact((tx) => {
    tx.delete(key);
  });
}

/** Whether the reconciliation must no longer look at a checkout or an invoice. */
export async function isLeftAlone(deps: Deps, id: string): Promise<boolean> {
  const { value } = await deps.store.get<Doubt>(paymentKeys.doubt(id));
  return value !== null && isGivenUp(value, deps.clock.now());
}

/** Every doubt, the oldest first. */
export async function listDoubts({ store }: Deps): Promise<Doubt[]> {
  const doubts = await listValues<Doubt>(store, paymentKeys.doubts);
  return doubts.sort((a, b) => a.at - b.at);
}

/**
 * Makes the next reconciliation look again at doubtful payments, at most 40. Returns how many there
 * are.
 */
export async function retryDoubts(deps: Deps): Promise<number> {
  const doubts = (await listDoubts(deps)).slice(0, RETRY_MAX);
  if (doubts.length === 0) return 0;
  await deps.store.transact(async (tx) => {
    // Backdated by an hour, so that the next run lists what is listed once an hour.
    const { key, value: reconciledAt } = await tx.get<number>(paymentKeys.health("reconciled"));
    if (reconciledAt !== null) tx.set(key, reconciledAt - HOUR_MS);
    const checkouts = await tx.getMany<Checkout>(doubts.map(({ id }) => paymentKeys.checkout(id)));
    for (const [i, { id }] of doubts.entries()) {
      tx.delete(paymentKeys.doubt(id));
      const checkout = checkouts[i]!.value;
      if (checkout?.status !== "failed") continue;
      // Without a session, the reconciliation has to look for one first.
      const status = checkout.sessionId === null ? "creating" : "open";
      rewriteCheckout(deps, tx, { ...checkout, status });
    }
  });
  return doubts.length;
}
