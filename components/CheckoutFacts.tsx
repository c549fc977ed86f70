import { type ComponentChildren, Fragment } from "preact";
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
import { ListingBrief } from "./ListingRow.tsx";
import { Time } from "./Time.tsx";

/** An auction as its page shows it. */
export type Auction = AuctionBody["auction"];

/** A bid, if the URL names it, with its project and auction. */
export interface BidParts {
  bid: BidCheckout | null;
  listing: PublicListing | null;
  auction: Auction | null;
}

/**
 * Until when a promotion runs, what runs after it, and whether it has a featured spot now.
 */
export function RunningTime({ promotion, later, isFeatured }: {
  promotion: NonNullable<PublicListing["promotion"]>;
  later: readonly PromotionSpan[];
  isFeatured: boolean;
}) {
  return (
    <>
      <p class="lead">
        {promotion.name} runs until <Time iso={promotion.endsAt} exact />
        {later.map(({ tierId, endsAt }) => (
          <Fragment key={tierId}>
            , then {findTier(tierId)!.name} until <Time iso={isoTime(endsAt)} exact />
          </Fragment>
        ))}.
      </p>
      {!isFeatured && (
        <p>
          All {MAX_FEATURED_SLOTS}{" "}
          spots are taken this hour. Higher tiers come first, and projects in the same tier take
          turns hourly. Everywhere else, your project already has its “Promoted” label.
        </p>
      )}
    </>
  );
}

/**
 * The link that shows the page at this path as it is now: screen readers would read a page that
 * reloads itself from the start.
 */
export function LoadAgain({ path }: { path: string }) {
  return <a class="button primary" href={path} aria-current="false">Refresh this page</a>;
}

/** The project of an order or bid, above its figures. Its slug is used if it is no longer public. */
export function ProjectLine({ listing, slug }: { listing: PublicListing | null; slug: string }) {
  return listing === null ? <p>Project: {slug}</p> : (
    <ul class="plain briefs" aria-label="Project">
      <ListingBrief listing={listing} />
    </ul>
  );
}

/** What was ordered. */
export function OrderFacts({ order }: { order: PromotionCheckout }) {
  const tier = findTier(order.tierId)!;
  return (
    <dl class="facts standing">
      <Fact term={tier.name}>{tier.days} days</Fact>
      <Fact term="Total" class="num">{dollars(order.totalCents)}</Fact>
    </dl>
  );
}

/** The state of a bid's auction, and the bid if the URL names it. */
export function BidFacts({ bid, listing, auction }: BidParts) {
  if (auction === null) return null;
  const slug = bid?.slug ?? listing?.slug;
  const isHigh = bid?.state === "high" || bid?.state === "won";
  return (
    <>
      {slug && <ProjectLine listing={listing} slug={slug} />}
      <dl class="facts standing">
        {bid && <Fact term="Your bid" class="num">{dollars(bid.amountCents)}</Fact>}
        {!isHigh && (
          <Fact term="High bid" class={auction.highBid === null ? undefined : "num"}>
            {auction.highBid ?? "None"}
          </Fact>
        )}
        <Fact term={auction.status === "past" ? "Closed" : "Closes"}>
          <Time iso={auction.closesAt} exact />
        </Fact>
      </dl>
    </>
  );
}

/**
 * The links to a bid's auction, or to its prefilled form if an outbid bidder can bid again.
 * `loadAgain` comes first if it is given.
 */
export function BidLinks(
  { bid, listing, auction, loadAgain }: BidParts & { loadAgain?: ComponentChildren },
) {
  if (auction === null) return null;
  const { id, minNextBid, minNextBidCents } = auction;
  const isOutbid = bid?.state === "outbid" || bid?.state === "lapsed";
  return (
    <p class="cluster">
      {loadAgain} {isOutbid && listing !== null && auction.status === "open"
        ? (
          <a class="button primary" href={bidFormPath({ ...bid, amountCents: minNextBidCents })}>
            {`Bid again for at least ${minNextBid}`}
          </a>
        )
        : (
          <a
            class={loadAgain ? "button" : "button primary"}
            href={withQuery(paths.auction(id), { slug: listing?.slug })}
          >
            See the auction
          </a>
        )}
    </p>
  );
}
