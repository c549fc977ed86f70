import { bidFormPath } from "../lib/auctions/form.ts";
import type { AuctionBody, BidCheckout } from "../lib/auctions/schema.ts";
import { findTier } from "../lib/catalog/tiers.ts";
import { isoTime } from "../lib/clock.ts";
import type { PromotionSpan } from "../lib/listings/placements.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { dollars } from "../lib/payments/fees.ts";
import type { PromotionCheckout } from "../lib/promotions/schema.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { Fact } from "./Fact.tsx";
import { ListingBrief } from "./ListingRow.tsx";
import { Time } from "./Time.tsx";

/** An auction as its page shows it. */
export type Auction = AuctionBody["auction"];

/** A promotion that runs, and what runs after it. */
export interface Running {
  promotion: NonNullable<PublicListing["promotion"]>;
  /** True if this order's time is still to be added. */
  isTimeAwaited: boolean;
  /** The tiers that run after the current one. */
  later: PromotionSpan[];
}

/**
 * A link that reloads the page. The page doesn't reload itself, because screen readers would then
 * start over.
 */
export function LoadAgain() {
  return <a class="button" href="" aria-current="false">Refresh this page</a>;
}

/** The project of an order or bid, above its figures. Its slug is used if it is no longer public. */
export function ProjectLine({ listing, slug }: { listing: PublicListing | null; slug: string }) {
  return listing === null ? <p>Project: {slug}</p> : (
    <ul class="plain briefs" aria-label="Project">
      <ListingBrief listing={listing} />
    </ul>
  );
}

/** When an order renews and how to cancel, if it renews. */
export function RenewalNotice({ order }: { order: PromotionCheckout }) {
  if (!order.autoRenew) return null;
  return (
    <p>
      Renews every {findTier(order.tierId)!.autoRenew} until you cancel on the project's{" "}
      <a href={paths.listingBilling(order.slug)}>billing page</a>. You'll need the project's edit
      key.
    </p>
  );
}

/** When each paid tier ends. Also names the ordered tier until its time is added. */
export function PromotionFacts({ running, order }: {
  running: Running | null;
  order: PromotionCheckout | null;
}) {
  if (running === null && order === null) return null;
  const ordered = order && (running === null || running.isTimeAwaited) && findTier(order.tierId);
  return (
    <dl class="facts standing">
      {running && (
        <Fact term={running.promotion.name}>
          Until <Time iso={running.promotion.endsAt} exact />
        </Fact>
      )}
      {running?.later.map(({ tierId, endsAt }) => (
        <Fact key={tierId} term={`Then ${findTier(tierId)!.name}`}>
          Until <Time iso={isoTime(endsAt)} exact />
        </Fact>
      ))}
      {ordered && <Fact term={ordered.name}>{ordered.days} days</Fact>}
      {order && <Fact term="Total" class="num">{dollars(order.totalCents)}</Fact>}
    </dl>
  );
}

/**
 * The state of a bid, if the URL names it, and of its auction, with a link to the auction, or to
 * its prefilled form if an outbid bidder can bid again. `isOpen` is true while something may still
 * change.
 */
export function BidState({ bid, listing, auction, isOpen }: {
  bid: BidCheckout | null;
  listing: PublicListing | null;
  auction: Auction;
  isOpen: boolean;
}) {
  const { id, minNextBid, minNextBidCents } = auction;
  const slug = bid?.slug ?? listing?.slug;
  const isHigh = bid?.state === "high" || bid?.state === "won";
  const isOutbid = bid?.state === "outbid" || bid?.state === "lapsed";
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
      {isOpen && bid && <p>Bookmark this page to follow your bid.</p>}
      <p class="cluster">
        {isOutbid && listing !== null && auction.status === "open"
          ? (
            <a class="button primary" href={bidFormPath({ ...bid, amountCents: minNextBidCents })}>
              {`Bid again for at least ${minNextBid}`}
            </a>
          )
          : (
            <a
              class="button primary"
              href={withQuery(paths.auction(id), { slug: listing?.slug })}
            >
              See the auction
            </a>
          )} {isOpen && bid?.state === "pending" && <LoadAgain />}
      </p>
    </>
  );
}
