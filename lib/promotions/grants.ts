/** Turns paid sessions and invoices into promotion time, each exactly once. */
import { findTier } from "../catalog/tiers.ts";
import type { Tx } from "../kv/store.ts";
import type { PaymentDeps } from "../payments/context.ts";
import { paymentKeys } from "../payments/keys.ts";
import type { BillingAccount, Grant, PromotionCheckout } from "../payments/schema.ts";
import { promotionKeys } from "./keys.ts";
import { addTime, type PromotionBalance, type PromotionSpan, settle, spans } from "./time.ts";

/** A payment that Stripe confirmed. */
export interface PaidOrder {
  order: PromotionCheckout;
  /** Id of the paid session or invoice: time is granted once for each. */
  paidId: string;
  /** Until when an invoice keeps a renewal running, ms. */
  periodEnd?: number;
  now: number;
}

/**
 * Grants the time of a payment in the caller's transaction; false if that was done before. The
 * state of the listing does not matter: what was paid for is kept.
 */
export async function grantTime(tx: Tx, paid: PaidOrder): Promise<boolean> {
  const { order, paidId, periodEnd, now } = paid;
  const [granted, balance] = await tx.getMany<unknown>([
    paymentKeys.grant(paidId),
    promotionKeys.one(order.slug),
  ]);
  if (granted!.value !== null) return false;
  const { id: checkoutId, slug, tierId } = order;
  const { days } = findTier(tierId)!;
  const before = balance!.value as PromotionBalance | null;
  const grant: Grant = { checkoutId, slug, tierId, days, at: now };
  tx.set(paymentKeys.grant(paidId), grant);
  tx.set(promotionKeys.one(slug), addTime(before, { tierId, days, periodEnd }, now));
  tx.change({ kind: "listing", slug, event: "promoted" });
  return true;
}

/** When each tier that was paid for a listing runs from now on, in order. */
export async function timeLeft(
  { store, clock }: PaymentDeps,
  slug: string,
): Promise<PromotionSpan[]> {
  const { value } = await store.get<PromotionBalance>(promotionKeys.one(slug));
  return value === null ? [] : spans(settle(value, clock.now()));
}

/** The time of an order's listing; null where none was granted since the order was made. */
async function grantedSince(
  { store }: PaymentDeps,
  { slug, createdAt }: PromotionCheckout,
): Promise<PromotionBalance | null> {
  const { value } = await store.get<PromotionBalance>(promotionKeys.one(slug));
  return value === null || value.asOf < createdAt ? null : value;
}

/**
 * When the paid time of an order's listing ran out (ms); null while some is left, and where nothing
 * was granted since the order was made.
 */
export async function ranOutAt(
  deps: PaymentDeps,
  order: PromotionCheckout,
): Promise<number | null> {
  const balance = await grantedSince(deps, order);
  if (balance === null) return null;
  const { endsAt } = spans(balance).at(-1)!;
  return endsAt <= deps.clock.now() ? endsAt : null;
}

/**
 * Whether an order's time is still to be added: it can be paid, or it is paid and no time was
 * granted since it was made. (That of a renewal comes with its invoice.)
 */
export async function isAwaited(deps: PaymentDeps, order: PromotionCheckout): Promise<boolean> {
  if (order.status !== "completed") return order.status === "creating" || order.status === "open";
  return await grantedSince(deps, order) === null;
}

/** Remembers the latest payer of a listing. */
export function rememberCustomer(
  tx: Tx,
  options: { slug: string; customerId: string; now: number },
): void {
  const { slug, customerId, now } = options;
  tx.set(paymentKeys.billing(slug), { customerId, at: now } satisfies BillingAccount);
}
