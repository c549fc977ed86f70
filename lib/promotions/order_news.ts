import type Stripe from "stripe";
import type { Tx } from "../kv/store.ts";
import { writeCheckout } from "../payments/checkout.ts";
import type { StripeDeps } from "../payments/deps.ts";
import { paymentKeys } from "../payments/keys.ts";
import { type Cause, markSeen } from "../payments/objects.ts";
import { runOperations } from "../payments/operation_runner.ts";
import { grantTime, type Payment } from "./grants.ts";
import type { PromotionCheckout } from "./schema.ts";
import { recordSubscription, rememberCustomer } from "./subscriptions.ts";

/** Stripe's news about an order: a payment, the state of its renewal, or both. */
interface OrderNews {
  order: PromotionCheckout;
  cause: Cause;
  paid?: Payment & { customerId?: string };
  subscription?: Stripe.Subscription;
}

/** Grants what was paid for, once, and records the customer and the renewal. */
export async function applyOrderNews(deps: StripeDeps, news: OrderNews): Promise<void> {
  const { order, cause, paid, subscription } = news;
  const operations = await deps.store.transact(async (tx) => {
    if (!await markSeen(tx, cause)) return [];
    // Time granted by a slow clock would be over once the clock is right.
    const now = Math.max(deps.clock.now(), paid?.at ?? 0);
    await completeOrder(tx, order.id);
    const isNew = paid !== undefined && await grantTime(tx, order, paid, now);
    if (isNew && paid.customerId !== undefined) {
      rememberCustomer(tx, order.slug, paid.customerId);
    }
    if (subscription === undefined) return [];
    return await recordSubscription(tx, { order, subscription, now });
  }, { queue: `promotion:${order.slug}` });
  await runOperations(deps, operations);
}

async function completeOrder(tx: Tx, id: string): Promise<void> {
  const { value } = await tx.get<PromotionCheckout>(paymentKeys.checkout(id));
  if (value !== null && value.status !== "completed") {
    writeCheckout(tx, { ...value, status: "completed" });
  }
}
