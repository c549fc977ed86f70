/**
 * How paid time adds up: a pure function of purchases and their times. Times are ms since the
 * epoch.
 *
 * Tiers on one listing never run at the same time. The highest tier with time left runs and the
 * others wait, so every paid day is shown. If `end` is when all of it is used up, each purchase
 * moves it to `max(now, end) + days`. The end of a single tier moves by the same rule.
 */
import { TIER_RANK, type TierId } from "../catalog/tiers.ts";
import { DAY_MS } from "../clock.ts";
import type { PromotionSpan } from "../listings/placements.ts";

/** The time left (ms) by tier, as of `asOf`. */
export interface PromotionBalance {
  asOf: number;
  left: Partial<Record<TierId, number>>;
}

/** When each tier with time left runs, in order and without gaps. */
export function spans(balance: PromotionBalance): PromotionSpan[] {
  const result: PromotionSpan[] = [];
  let startsAt = balance.asOf;
  for (const tierId of TIER_RANK) {
    const left = balance.left[tierId] ?? 0;
    if (left <= 0) continue;
    result.push({ tierId, startsAt, endsAt: startsAt + left });
    startsAt += left;
  }
  return result;
}

/** The same promotion at `now` (ms), without the time used until then. */
export function balanceAt(balance: PromotionBalance, now: number): PromotionBalance {
  if (now <= balance.asOf) return balance;
  const left: PromotionBalance["left"] = {};
  for (const span of spans(balance)) {
    if (span.endsAt > now) left[span.tierId] = span.endsAt - Math.max(span.startsAt, now);
  }
  return { asOf: now, left };
}

/** A payment's purchase: days and, for a renewal, the end of the paid period. */
interface Purchase {
  tierId: TierId;
  days: number;
  /** The tier runs at least until this time (ms), because a paid month can have 31 days. */
  periodEnd?: number;
}

/** The promotion after a purchase at `now`; `null` is a listing that never had one. */
export function addTime(
  balance: PromotionBalance | null,
  purchase: Purchase,
  now: number,
): PromotionBalance {
  const current = balanceAt(balance ?? { asOf: now, left: {} }, now);
  const left = { ...current.left };
  left[purchase.tierId] = (left[purchase.tierId] ?? 0) + purchase.days * DAY_MS;
  const added = { asOf: current.asOf, left };
  const end = spans(added).find((span) => span.tierId === purchase.tierId)!.endsAt;
  const missing = (purchase.periodEnd ?? end) - end;
  if (missing > 0) left[purchase.tierId]! += missing;
  return added;
}
