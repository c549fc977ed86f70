import { isoTime } from "../clock.ts";
import { charge, dollars, isChargeable } from "../payments/fees.ts";
import { formatLongSpan } from "../text/dates.ts";
import { paths } from "../urls.ts";
import { type AuctionDates, nextOpening } from "./calendar.ts";
import type { Deps } from "./deps.ts";
import type { HistoryEntry } from "./history.ts";
import type { AuctionBody, PublicAuction, PublicBid, StoredAuction } from "./schema.ts";
import { closeOf, minimumOf, statusOf } from "./status.ts";

/** The public form of an auction at `now` (ms). */
export function toPublicAuction(
  { urls, catalogue }: Deps,
  dates: AuctionDates,
  auction: StoredAuction | null,
  now: number,
): PublicAuction {
  const closesAt = closeOf(dates, auction);
  const status = statusOf(dates, auction, now);
  const high = auction?.high ?? null;
  const min = minimumOf(auction);
  const next = isChargeable(min) ? charge(min) : null;
  const isOver = status === "past" && high === null;
  const name = high === null ? undefined : catalogue.get(high.slug)?.name;
  const bidder = high === null || name === undefined ? null : { slug: high.slug, name };
  const outcome = auction?.outcome ?? (isOver ? "no-bids" : null);
  const startsAt = isoTime(dates.startsAt);
  const endsAt = isoTime(dates.endsAt);
  return {
    id: dates.id,
    name: `Front Row, ${formatLongSpan(startsAt, endsAt)}`,
    status,
    outcome,
    opensAt: isoTime(dates.opensAt),
    closesAt: isoTime(closesAt),
    extended: closesAt > dates.scheduledCloseAt,
    startsAt,
    endsAt,
    highBidCents: high?.amountCents ?? null,
    highBid: high === null ? null : dollars(high.amountCents),
    highBidder: bidder,
    minNextBidCents: min,
    minNextBid: dollars(min),
    minNextFeeCents: next?.feeCents ?? null,
    minNextFee: next && dollars(next.feeCents),
    minNextTotalCents: next?.totalCents ?? null,
    minNextTotal: next && dollars(next.totalCents),
    bidCount: auction?.bids ?? 0,
    winner: outcome === "won" ? bidder : null,
    page: urls.to(paths.auction(dates.id)),
    apiUrl: urls.to(paths.apiAuction(dates.id)),
    bidUrl: urls.to(paths.apiBids(dates.id)),
  };
}

/** When bidding next opens, strictly after `now`. */
export function toNextOpening(now: number): AuctionBody["nextOpening"] {
  const { id, opensAt } = nextOpening(now);
  return { id, opensAt: isoTime(opensAt) };
}

/**
 * The public form of an accepted bid. It shows the listing's name at that time, because the hash
 * chain covers it. If the listing is not public, its slug and name are withheld, but not the hash.
 */
export function toPublicBid(
  { catalogue }: Deps,
  entry: HistoryEntry,
  auction: StoredAuction,
): PublicBid {
  const isLast = entry.number === auction.bids;
  const shown = catalogue.row(entry.slug) !== undefined;
  return {
    number: entry.number,
    amountCents: entry.amountCents,
    amount: dollars(entry.amountCents),
    slug: shown ? entry.slug : null,
    name: shown ? entry.name : null,
    at: isoTime(entry.at),
    extended: entry.extended,
    status: entry.withdrawn
      ? "withdrawn"
      : !isLast
      ? "outbid"
      : auction.outcome === "won"
      ? "won"
      : "high",
    listingDigest: entry.listingDigest,
    previousHash: entry.previousHash,
    hash: entry.hash,
  };
}
