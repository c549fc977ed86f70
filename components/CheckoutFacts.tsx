import { Fragment } from "preact";
import { bidFormPath } from "../lib/auctions/form.ts";
import type { AuctionBody, BidCheckout } from "../lib/auctions/schema.ts";
import { findTier, MAX_FEATURED_SLOTS } from "../lib/catalog/tiers.ts";
import { isoTime } from "../lib/clock.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { dollars } from "../lib/payments/fees.ts";
import type { PromotionCheckout } from "../lib/promotions/schema.ts";
import type { PromotionSpan } from "../lib/promotions/time.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { Fact } from "./Fact.tsx";
import { Time } from "./Time.tsx";

/** An auction as its page shows it. */
export type Auction = AuctionBody["auction"];

/**
 * Until when a promotion runs, what runs after it, and whether it has a featured spot now. Unless
 * `isWhole`, more paid time may still be added.
 */
export function RunningTime({ promotion, later, isFeatured, isWhole }: {
  promotion: NonNullable<PublicListing["promotion"]>;
  later: readonly PromotionSpan[];
  isFeatured: boolean;
  isWhole: boolean;
}) {
  return (
    <>
      <p class="lead">
        {promotion.name} runs until <Time iso={promotion.endsAt} exact />
        {later.map(({ tierId, endsAt }) => (
          <Fragment key={tierId}>
            , then {findTier(tierId)!.name} until <Time iso={isoTime(endsAt)} exact />
          </Fragment>
        ))}.{!isWhole && " A payment still being confirmed will add more time."}
      </p>
      {!isFeatured && (
        <p>
          All {MAX_FEATURED_SLOTS}{" "}
          featured spots are taken this hour. Higher tiers show first and the rest rotate hourly.
          Everywhere else, your project already has its “Promoted” label.
        </p>
      )}
    </>
  );
}

/**
 * Says how the page at this path stays up to date: screen readers would read a reloaded page from
 * the start.
 */
export function LoadAgain({ path }: { path: string }) {
  return (
    <p>
      <a href={path} aria-current="false">Refresh this page</a> to check.
    </p>
  );
}

/** What was ordered; nothing if the URL names no order. */
export function OrderFacts(
  { order, listing }: { order: PromotionCheckout | null; listing: PublicListing | null },
) {
  if (order === null) return null;
  const tier = findTier(order.tierId)!;
  return (
    <dl class="facts standing">
      {listing && <Fact term="Project" dir="auto">{listing.name}</Fact>}
      <Fact term={tier.name}>{tier.days} days</Fact>
      <Fact term="Total" class="num">{dollars(order.totalCents)}</Fact>
    </dl>
  );
}

/** The state of a bid's auction, and the bid if the URL names it. */
export function BidFacts(
  { bid, listing, auction }: {
    bid: BidCheckout | null;
    listing: PublicListing | null;
    auction: Auction | null;
  },
) {
  const name = listing?.name ?? bid?.slug;
  if (auction === null) return null;
  return (
    <dl class="facts standing">
      {name !== undefined && <Fact term="Project" dir="auto">{name}</Fact>}
      {bid && <Fact term="Your bid" class="num">{dollars(bid.amountCents)}</Fact>}
      <Fact term="High bid">{auction.highBid ?? "None"}</Fact>
      <Fact term={auction.status === "past" ? "Closed" : "Closes"}>
        <Time iso={auction.closesAt} exact />
      </Fact>
    </dl>
  );
}

/** The link to a bid's auction, or to its prefilled form if an outbid bidder can bid again. */
export function AuctionLink(
  { bid, listing, auction }: {
    bid: BidCheckout | null;
    listing: PublicListing | null;
    auction: Auction;
  },
) {
  const { id, minNextBid, minNextBidCents } = auction;
  const isOutbid = bid?.state === "outbid" || bid?.state === "lapsed";
  return (
    <p>
      {isOutbid && listing !== null && auction.status === "open"
        ? (
          <a class="button primary" href={bidFormPath({ ...bid, amountCents: minNextBidCents })}>
            {`Bid again, at least ${minNextBid}`}
          </a>
        )
        : (
          <a
            class="button primary"
            href={withQuery(paths.auction(id), { slug: listing?.slug })}
          >
            See the auction
          </a>
        )}
    </p>
  );
}
