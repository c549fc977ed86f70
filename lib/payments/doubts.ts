/**
 * Payments that do not match their order: nothing is granted for them, the operator is told, and the
 * reconciliation looks at them for one more day, in case someone puts them right at Stripe.
 */
import type Stripe from "stripe";
import { DAY_MS } from "../clock.ts";
import { listValues } from "../kv/ranges.ts";
import { alertOperator } from "./alerts.ts";
import { writeCheckout } from "./checkout.ts";
import type { PaymentDeps } from "./context.ts";
import { paymentKeys } from "./keys.ts";
import type { Checkout, Doubt } from "./schema.ts";
import { checkoutIdOf } from "./session_params.ts";

const LOOKED_AT_MS = DAY_MS;
const DOUBT_TTL_MS = 90 * DAY_MS;
/** How many doubts one transaction drops: each reads a key, and KV limits checks to 100. */
const RETRY_MAX = 40;

/** Whether a doubt is no longer looked at by itself, at `now` (ms). */
export function isGivenUp(doubt: Doubt, now: number): boolean {
  return now - doubt.at > LOOKED_AT_MS;
}

/** Amount, currency or metadata of `object` differ from what was ordered. */
export async function noteDoubt(
  deps: PaymentDeps,
  doubt: Omit<Doubt, "at" | "slug" | "checkoutId"> & { checkout: Checkout },
): Promise<void> {
  const { id, object, checkout: { id: checkoutId, slug } } = doubt;
  await alertOperator(deps, "An object of Stripe does not match its order", { checkoutId, object });
  const key = paymentKeys.doubt(id);
  await deps.store.transact(async (tx) => {
    if ((await tx.get(key)).value !== null) return;
    const at = deps.clock.now();
    tx.set(key, { id, object, checkoutId, slug, at } satisfies Doubt, { expireIn: DOUBT_TTL_MS });
  });
}

/**
 * A complete session names an order that is not here: the database is an older copy that was put back. Whoever paid has got
 * nothing for it, and a renewal goes on. What others sell under the same account, another site of this program too,
 * leads back elsewhere.
 */
export async function noteUnknownOrder(
  deps: PaymentDeps,
  { id, metadata, success_url }: Stripe.Checkout.Session,
): Promise<void> {
  const checkoutId = checkoutIdOf(metadata);
  if (checkoutId === null || !success_url?.startsWith(deps.urls.to("/"))) return;
  const what = "A payment is of an order that this database does not hold";
  await alertOperator(deps, what, { checkoutId, object: id });
}

/** Forgets a doubt: it matches now. */
export async function dropDoubt(deps: PaymentDeps, id: string): Promise<void> {
  const key = paymentKeys.doubt(id);
  if ((await deps.store.get(key)).value === null) return;
  await deps.store.transact((tx) => {
    tx.delete(key);
  });
}

/** Whether the reconciliation is to leave a checkout or an invoice alone. */
export async function isLeftAlone(deps: PaymentDeps, id: string): Promise<boolean> {
  const { value } = await deps.store.get<Doubt>(paymentKeys.doubt(id));
  return value !== null && isGivenUp(value, deps.clock.now());
}

/** Every doubt, the oldest first. */
export async function listDoubts({ store }: PaymentDeps): Promise<Doubt[]> {
  const doubts = await listValues<Doubt>(store, paymentKeys.doubts);
  return doubts.sort((a, b) => a.at - b.at);
}

/** Has the reconciliation look again at what is in doubt, at most 40. Returns how many that are. */
export async function retryDoubts(deps: PaymentDeps): Promise<number> {
  const doubts = (await listDoubts(deps)).slice(0, RETRY_MAX);
  await deps.store.transact(async (tx) => {
    const checkouts = await tx.getMany<Checkout>(doubts.map(({ id }) => paymentKeys.checkout(id)));
    for (const [i, { id }] of doubts.entries()) {
      tx.delete(paymentKeys.doubt(id));
      const checkout = checkouts[i]!.value;
      if (checkout?.status !== "failed") continue;
      // Without a session, the reconciliation has to look for one first.
      const status = checkout.sessionId === null ? "creating" : "open";
      writeCheckout(tx, { ...checkout, status });
    }
  });
  return doubts.length;
}
