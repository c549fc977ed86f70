/** Turns paid sessions and invoices into promotion time, each exactly once. */
import { findTier } from "../catalog/tiers.ts";
import { isoTime } from "../clock.ts";
import type { Tx } from "../kv/store.ts";
import type { Period, PromotionSpan } from "../listings/placements.ts";
import { notify } from "../notices/outbox.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";
import { promotionKeys } from "./keys.ts";
import { knownPeriods, withPeriod } from "./periods.ts";
import { remindOfEnd } from "./reminders.ts";
import type { Grant, PromotionCheckout } from "./schema.ts";
import { addTime, balanceAt, type PromotionBalance, spans } from "./time.ts";

/** A payment confirmed by Stripe. */
export interface Payment {
  /** Id of the paid session or invoice: each grants time once. */
  id: string;
  /** A time (ms) that has certainly passed, by Stripe's clock (`paidSince`). */
  at: number;
  /** When the renewal that an invoice paid for ends, in ms. */
  periodEnd?: number;
}

/**
 * Grants a payment's time in the caller's transaction; false if already done. The listing's state
 * does not matter: paid time is kept.
 */
export async function grantTime(
  tx: Tx,
  order: PromotionCheckout,
  { id: paidId, periodEnd }: Payment,
  now: number,
): Promise<boolean> {
  const [granted, balance, periods] = await tx.getMany<unknown>([
    promotionKeys.grant(paidId),
    promotionKeys.one(order.slug),
    promotionKeys.periods(order.slug),
  ]);
  if (granted!.value !== null) return false;
  const { id: checkoutId, slug, tierId } = order;
  const { days } = findTier(tierId)!;
  const before = balance!.value as PromotionBalance | null;
  const grant: Grant = { checkoutId, slug, tierId, days, at: now };
  tx.set(promotionKeys.grant(paidId), grant);
  const after = addTime(before, { tierId, days, periodEnd }, now);
  tx.set(promotionKeys.one(slug), after);
  tx.change({ kind: "listing", slug, event: "promoted" });
  await tellStart(tx, slug, before === null ? [] : spans(balanceAt(before, now)), spans(after));
  remindOfEnd(tx, slug, after);
  const known = knownPeriods(periods!.value as Period[] | null, before);
  tx.set(periods!.key, withPeriod(known, { startsAt: now, endsAt: spans(after).at(-1)!.endsAt }));
  return true;
}

/** Tells a listing's owner if a different tier now runs. */
async function tellStart(
  tx: Tx,
  slug: string,
  before: readonly PromotionSpan[],
  after: readonly PromotionSpan[],
): Promise<void> {
  const { tierId } = after[0]!;
  if (before[0]?.tierId === tierId) return;
  const endsAt = isoTime(after.at(-1)!.endsAt);
  await notify(tx, slug, { type: "promotion_started", tier: findTier(tierId)!.name, endsAt });
}

/** A listing's paid time, as of now. */
interface PaidTime {
  /** When each tier runs from now on, in order. */
  left: PromotionSpan[];
  /** When all of it ran out (ms); null while some is left or if the order has granted none yet. */
  endedAt: number | null;
  /** Whether the order's time is still to be added. */
  isAwaited: boolean;
}

/**
 * A listing's paid time, after an order if there is one. More time is awaited while the order can
 * still be paid, and then until its time is granted. (A renewal's time comes with its invoice.)
 */
export async function readPaidTime(
  { store, clock }: PaymentDeps,
  slug: string,
  order: PromotionCheckout | null,
): Promise<PaidTime> {
  const { value: balance } = await store.get<PromotionBalance>(promotionKeys.one(slug));
  const left = balance === null ? [] : spans(balanceAt(balance, clock.now()));
  if (order?.status !== "completed") {
    const isAwaited = order?.status === "creating" || order?.status === "open";
    return { left, endedAt: null, isAwaited };
  }
  // Stripe's times are whole seconds.
  const madeAt = Math.floor(order.createdAt / 1_000) * 1_000;
  if (balance === null || (order.autoRenew && balance.asOf < madeAt)) {
    return { left, endedAt: null, isAwaited: true };
  }
  const endedAt = left.length > 0 ? null : spans(balance).at(-1)!.endsAt;
  return { left, endedAt, isAwaited: false };
}
