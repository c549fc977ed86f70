/**
 * When Front Row auctions exist, open and close: a pure function of time. No job creates an
 * auction. Times are milliseconds since the epoch; periods begin on Mondays at 00:00 UTC.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, utcDay } from "../clock.ts";
import { notFound } from "../errors.ts";
import type { PublicAuction } from "./schema.ts";

/** Length of the period that an auction sells. */
export const PERIOD_MS = 7 * DAY_MS;
/** Lowest first bid in cents. */
export const STARTING_BID_CENTS = 1000;
/** A bid accepted this close to the end extends the auction by the same amount. */
const SOFT_CLOSE_MS = 10 * MINUTE_MS;
/** How many auctions after the next one to start are shown and available by id. */
export const UPCOMING_SHOWN = 4;

/** The first period ever sold, a Monday. No auction has an earlier id. */
const FIRST_PERIOD = Date.UTC(2026, 0, 5);
/** 1970-01-01 was a Thursday, so the first Monday came four days later. */
const FIRST_MONDAY = 4 * DAY_MS;
const ID = /^front-row-(\d{4})-(\d{2})-(\d{2})$/;

/** The fixed times of an auction, in ms since the epoch. */
export interface AuctionDates {
  /** `front-row-YYYY-MM-DD`, the first day of the period. */
  id: string;
  opensAt: number;
  /** The close if no bid extends it. */
  scheduledCloseAt: number;
  /** The latest close: extensions stop here. */
  latestCloseAt: number;
  startsAt: number;
  endsAt: number;
}

function datesOfPeriod(startsAt: number): AuctionDates {
  return {
    id: `front-row-${utcDay(startsAt)}`,
    opensAt: startsAt - 6 * DAY_MS,
    scheduledCloseAt: startsAt - DAY_MS,
    latestCloseAt: startsAt - HOUR_MS,
    startsAt,
    endsAt: startsAt + PERIOD_MS,
  };
}

function periodStart(now: number): number {
  return FIRST_MONDAY + Math.floor((now - FIRST_MONDAY) / PERIOD_MS) * PERIOD_MS;
}

/** The period that runs at `now`. */
export function currentPeriod(now: number): AuctionDates {
  return datesOfPeriod(periodStart(now));
}

/** The next periods to start after `now`, soonest first. The first of them may be open. */
export function comingPeriods(now: number, count: number): AuctionDates[] {
  const start = periodStart(now);
  return Array.from({ length: count }, (_, i) => datesOfPeriod(start + (i + 1) * PERIOD_MS));
}

/**
 * The auction with this id. Null if the id is not a Monday, is before the first period, or is too
 * far ahead to be announced yet.
 */
export function auctionDates(id: string, now: number): AuctionDates | null {
  const match = ID.exec(id);
  if (!match) return null;
  const startsAt = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  if (periodStart(startsAt) !== startsAt || startsAt < FIRST_PERIOD) return null;
  // Only the open auction and the ones announced after it are known.
  if (startsAt > periodStart(now) + (UPCOMING_SHOWN + 1) * PERIOD_MS) return null;
  const dates = datesOfPeriod(startsAt);
  // Date.UTC turns 2026-02-30 into a day in March, which has a different id.
  return dates.id === id ? dates : null;
}

/** The auction with this id. Throws `not_found` if `auctionDates` is null. */
export function requireAuctionDates(id: string, now: number): AuctionDates {
  const dates = auctionDates(id, now);
  if (dates === null) {
    throw notFound("There is no auction with this id. GET /api/v1/auctions lists them");
  }
  return dates;
}

/** The dates of a stored auction. It was announced once, so the clock does not matter. */
export function storedAuctionDates(id: string): AuctionDates {
  return auctionDates(id, Infinity)!;
}

/** The status of an auction at `now`, given its close (extended or not). */
export function statusAt(
  dates: AuctionDates,
  closesAt: number,
  now: number,
): PublicAuction["status"] {
  if (now < dates.opensAt) return "upcoming";
  return now < closesAt ? "open" : "past";
}

/** The auction that is open by its schedule, not counting extensions, or null. */
export function openPeriod(now: number): AuctionDates | null {
  const [first] = comingPeriods(now, 1) as [AuctionDates];
  return statusAt(first, first.scheduledCloseAt, now) === "open" ? first : null;
}

/** When bidding next opens, strictly after `now`. */
export function nextOpening(now: number): AuctionDates {
  const [first, second] = comingPeriods(now, 2) as [AuctionDates, AuctionDates];
  return first.opensAt > now ? first : second;
}

/**
 * The close after a bid accepted at `acceptedAt`: ten minutes later if the bid came within the last
 * ten minutes, never past the latest close.
 */
export function closeAfterBid(dates: AuctionDates, closesAt: number, acceptedAt: number): number {
  if (closesAt - acceptedAt > SOFT_CLOSE_MS) return closesAt;
  return Math.min(closesAt + SOFT_CLOSE_MS, Math.max(closesAt, dates.latestCloseAt));
}

/** The minimum bid, in cents: the high bid plus the larger of $1 and 5%, rounded up. */
export function minNextBidCents(highCents: number | null): number {
  if (highCents === null) return STARTING_BID_CENTS;
  return highCents + Math.max(100, Math.ceil((highCents * 5) / 100));
}
