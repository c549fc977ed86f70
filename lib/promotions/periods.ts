import type { Period } from "../listings/placements.ts";
import { type PromotionBalance, spans } from "./time.ts";

/**
 * The periods in which a listing was promoted without a break. Earlier versions did not record them,
 * so for older promotions only the period since the last purchase is known.
 */
export function knownPeriods(
  stored: Period[] | null,
  balance: PromotionBalance | null,
): Period[] {
  if (stored !== null) return stored;
  const last = balance === null ? undefined : spans(balance).at(-1);
  return last === undefined ? [] : [{ startsAt: balance!.asOf, endsAt: last.endsAt }];
}

/** The periods plus another one, which extends the last if that is still running. */
export function withPeriod(periods: Period[], next: Period): Period[] {
  const last = periods.at(-1);
  if (last === undefined || last.endsAt < next.startsAt) return [...periods, next];
  return [...periods.slice(0, -1), { ...last, endsAt: next.endsAt }];
}
