/**
 * What promotions and Front Row weeks brought a listing, compared with what it gets without them.
 */
import { storedAuctionDates } from "../auctions/calendar.ts";
import { auctionKeys } from "../auctions/keys.ts";
import type { StoredAuction } from "../auctions/schema.ts";
import { addDays, DAY_MS, dayStart, isoTime, utcDay } from "../clock.ts";
import type { Core } from "../core.ts";
import { type OwnerRequest, requireEntryKey } from "../entries/edit_key.ts";
import { listValues } from "../kv/ranges.ts";
import {
  type DailyCounts,
  dailyCountsSince,
  nothing,
  readDailyCounts,
} from "../listings/daily_counts.ts";
import { listingKeys } from "../listings/keys.ts";
import type { Period } from "../listings/placements.ts";
import type { StoredListing } from "../listings/schema.ts";
import { promotionKeys } from "./keys.ts";
import { knownPeriods } from "./periods.ts";
import type { Figures, PromotionReport } from "./schema.ts";
import type { PromotionBalance } from "./time.ts";

/** How many days before and after a promotion are included. */
export const REPORT_SIDE_DAYS = 28;
/** With fewer clicks before or during a promotion, chance alone can explain the difference. */
export const REPORT_ENOUGH_CLICKS = 30;
/** How many days are listed individually. */
const DAYS_LISTED = 90;

type Paid = Period & { name: string };

/**
 * A promotion's effect on a listing, for a caller with its edit key: clicks and votes by day and
 * visitor class. Throws `not_found`, `bad_edit_key` (a hidden listing has no key), `rate_limited`.
 */
export async function readPromotionReport(
  deps: Core,
  options: OwnerRequest,
): Promise<PromotionReport> {
  const { store, clock } = deps;
  const { slug } = options;
  await requireEntryKey(store, "listing", options);
  const [{ value: listing }, counts, paid, countedSince] = await Promise.all([
    store.get<StoredListing>(listingKeys.one(slug)),
    readDailyCounts(store, slug),
    readPaid(deps, slug),
    dailyCountsSince(store),
  ]);
  const today = utcDay(clock.now());
  const since = [countedSince, utcDay(listing!.createdAt)].sort().at(-1)!;
  const days = daysBetween(since, today);
  const paidDays = new Set(
    paid.flatMap(({ startsAt, endsAt }) => daysBetween(utcDay(startsAt), utcDay(endsAt - 1))),
  );
  // Today is not over, so it would lower the daily average without a promotion.
  const unpaid = days.filter((day) => !paidDays.has(day) && day < today);
  const promotions = paid.map(({ name, startsAt, endsAt }) => {
    const [first, last] = [utcDay(startsAt), utcDay(endsAt - 1)];
    const before = unpaid.filter((day) => day < first && day >= addDays(first, -REPORT_SIDE_DAYS));
    const during = days.filter((day) => day >= first && day <= last);
    const after = unpaid.filter((day) => day > last && day <= addDays(last, REPORT_SIDE_DAYS));
    const figures = {
      before: figuresOf(counts, before),
      during: figuresOf(counts, during),
      after: figuresOf(counts, after),
    };
    const isEnough = [figures.before, figures.during]
      .every(({ clicks }) => sumOf(clicks) >= REPORT_ENOUGH_CLICKS);
    return { name, startsAt: isoTime(startsAt), endsAt: isoTime(endsAt), ...figures, isEnough };
  });
  return {
    since,
    promotions,
    baseline: figuresOf(counts, unpaid),
    days: days.slice(-DAYS_LISTED).map((day) => ({
      day,
      isPaid: paidDays.has(day),
      ...(counts.get(day) ?? { clicks: nothing(), votes: nothing() }),
    })),
  };
}

/** The sum over all visitor classes. */
export function sumOf(counts: Figures["clicks"]): number {
  return Object.values(counts).reduce((a, b) => a + b, 0);
}

/** Paid placements of a listing that have started, in order. */
async function readPaid({ store, clock }: Core, slug: string): Promise<Paid[]> {
  const [stored, balance] = await store.getMany<unknown>([
    promotionKeys.periods(slug),
    promotionKeys.one(slug),
  ]);
  const promotions = knownPeriods(
    stored!.value as Period[] | null,
    balance!.value as PromotionBalance | null,
  ).map((period) => ({ name: "Promotion", ...period }));
  const weeks = (await listValues<StoredAuction>(store, auctionKeys.all))
    .filter(({ outcome, high }) => outcome === "won" && high?.slug === slug)
    .map(({ id }) => {
      const { startsAt, endsAt } = storedAuctionDates(id);
      return { name: "Front Row", startsAt, endsAt };
    });
  return [...promotions, ...weeks].filter(({ startsAt }) => startsAt <= clock.now())
    .sort((a, b) => a.startsAt - b.startsAt);
}

/** The UTC days from first to last, inclusive. */
function daysBetween(first: string, last: string): string[] {
  const count = Math.round((dayStart(last) - dayStart(first)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => addDays(first, i));
}

function figuresOf(counts: DailyCounts, days: readonly string[]): Figures {
  const figures = { days: days.length, clicks: nothing(), votes: nothing() };
  for (const day of days) {
    for (const what of ["clicks", "votes"] as const) {
      for (const [of, count] of Object.entries(counts.get(day)?.[what] ?? {})) {
        figures[what][of as keyof Figures["clicks"]] += count;
      }
    }
  }
  return figures;
}
