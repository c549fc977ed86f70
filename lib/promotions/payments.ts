import type { Tx } from "../kv/store.ts";
import { writeCheckout } from "../payments/checkout.ts";
import type { StripeDeps } from "../payments/context.ts";
import { paymentKeys } from "../payments/keys.ts";
import { runOperations } from "../payments/operation_runner.ts";
import type { PromotionCheckout } from "../payments/schema.ts";
import { grantTime, type PaidOrder, rememberCustomer } from "./grants.ts";
import { recordSubscription, type SeenSubscription } from "./subscriptions.ts";

/** A payment of an order, as Stripe reports it. */
export interface OrderPayment extends Omit<PaidOrder, "now"> {
  /** A time (ms) that has certainly passed, by Stripe's clock (`paidSince`). */
  paidAt: number;
  customerId: string | null;
  /** The renewal that the payment belongs to. */
  subscription: SeenSubscription | null;
  /**
   * Runs in the same transaction. False means that the event was handled before and nothing is to
   * be done.
   */
  mark: (tx: Tx) => Promise<boolean>;
}

/** Grants what was paid for, once, and notes the customer and the renewal. */
export async function applyPaidOrder(deps: StripeDeps, payment: OrderPayment): Promise<void> {
  const { order, subscription, customerId } = payment;
  const operations = await deps.store.transact(async (tx) => {
    if (!await payment.mark(tx)) return [];
    // Time that is granted by a clock that is behind would be over once the clock is right.
    const now = Math.max(deps.clock.now(), payment.paidAt);
    await completeOrder(tx, order.id);
    const isNew = await grantTime(tx, { ...payment, now });
    if (isNew && customerId !== null) rememberCustomer(tx, { slug: order.slug, customerId, now });
    return subscription === null
      ? []
      : await recordSubscription(tx, { order, seen: subscription, now });
  }, { queue: `promotion:${order.slug}` });
  await runOperations(deps, operations);
}

/** Notes the state of a renewal, without granting time. */
export async function applySubscription(
  deps: StripeDeps,
  options: Pick<OrderPayment, "order" | "mark"> & { subscription: SeenSubscription },
): Promise<void> {
  const { order, subscription } = options;
  const operations = await deps.store.transact(async (tx) => {
    if (!await options.mark(tx)) return [];
    await completeOrder(tx, order.id);
    return await recordSubscription(tx, { order, seen: subscription, now: deps.clock.now() });
  }, { queue: `promotion:${order.slug}` });
  await runOperations(deps, operations);
}

async function completeOrder(tx: Tx, id: string): Promise<void> {
  const { value } = await tx.get<PromotionCheckout>(paymentKeys.checkout(id));
  if (value !== null && value.status !== "completed") {
    writeCheckout(tx, { ...value, status: "completed" });
  }
}
