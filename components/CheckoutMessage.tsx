import type { ComponentChildren } from "preact";
import type { BidCheckout } from "../lib/auctions/schema.ts";
import { findTier, MAX_FEATURED_SLOTS } from "../lib/catalog/tiers.ts";
import { isoTime } from "../lib/clock.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { dollars } from "../lib/payments/fees.ts";
import type { PromotionCheckout } from "../lib/promotions/schema.ts";
import { formatSpan } from "../lib/text/dates.ts";
import { paths, withQuery } from "../lib/urls.ts";
import {
  type Auction,
  BidState,
  LoadAgain,
  ProjectLine,
  PromotionFacts,
  RenewalNotice,
  type Running,
} from "./CheckoutFacts.tsx";
import { Time } from "./Time.tsx";

/** The outcome of an order, of a bid, or of an abandoned checkout. */
export type Outcome =
  /** The project of a paid order is no longer public. */
  | { kind: "hidden"; slug: string }
  /** All the time bought with this order and earlier ones was used up at `endedAt` (ms). */
  | { kind: "ended"; endedAt: number }
  /** `isFeatured` is true if it has a spot in the featured strip now. */
  | { kind: "running"; isFeatured: boolean } & Running
  /** Nothing runs before the payment is confirmed. */
  | { kind: "awaited" }
  /** A hold was placed for a bid, if the URL names one. */
  | { kind: "held"; bid: BidCheckout | null }
  | { kind: "bid_left" }
  /** `chosen` is what was ordered, so it needn't be chosen again. */
  | { kind: "left"; chosen: { tierId?: string; autoRenew?: "yes" } };

/** The data of a checkout page. */
export interface Checkout {
  outcome: Outcome;
  /** The promotion order in the URL. */
  order: PromotionCheckout | null;
  /** Whether that order goes on renewing. */
  renews: boolean;
  /** The listing that was promoted or bid for, if it is public. */
  listing: PublicListing | null;
  /** The auction that was bid on. */
  auction: Auction | null;
}

/** A page's text: its heading and title, and what is below. */
interface Message {
  heading: string;
  /** True if the page starts with thanks. */
  isThanks?: boolean;
  text: ComponentChildren;
}

/** What a checkout page says. */
export function messageOf(checkout: Checkout): Message {
  const { outcome, listing } = checkout;
  const orderFacts = <OrderFacts {...checkout} />;
  switch (outcome.kind) {
    case "hidden":
      return {
        heading: "This project is no longer listed",
        text: (
          <p class="lead">
            {outcome.slug} is no longer on this site, so its promotion isn't shown.
          </p>
        ),
      };
    case "ended":
      return {
        heading: "This promotion has ended",
        text: (
          <>
            <p class="lead">
              The promotion ran until <Time iso={isoTime(outcome.endedAt)} exact />.
            </p>
            {orderFacts}
          </>
        ),
      };
    case "running":
      return {
        heading: outcome.isTimeAwaited
          ? "Your time will be added once the payment is confirmed"
          : "Your project is promoted",
        isThanks: true,
        text: orderFacts,
      };
    case "awaited":
      return {
        heading: "Your payment is being confirmed",
        isThanks: true,
        text: (
          <>
            <p class="lead">
              The promotion starts as soon as the payment provider confirms the payment. Card
              payments take a moment; slower methods can take a few days.
            </p>
            {orderFacts}
          </>
        ),
      };
    case "held":
    case "bid_left":
      return bidMessage(checkout);
    case "left": {
      const { chosen } = outcome;
      const query = { slug: listing?.slug, ...chosen };
      const tier = findTier(chosen.tierId ?? "");
      return {
        heading: "You weren't charged",
        text: (
          <>
            <p class="lead">
              You left checkout before paying{tier && ` for ${tier.name}, ${tier.days} days`}.{" "}
              {listing && "Your project stays listed for free."}
            </p>
            {listing && <ProjectLine listing={listing} slug={listing.slug} />}
            <p>
              <a class="button primary" href={withQuery(paths.promote, query)}>
                Back to promotions
              </a>
            </p>
          </>
        ),
      };
    }
  }
}

/** What an order bought and how it stands, with links to see more. */
function OrderFacts({ outcome, order, renews, listing }: Checkout) {
  const running = outcome.kind === "running" ? outcome : null;
  const isWaiting = outcome.kind === "awaited" || running?.isTimeAwaited;
  return (
    <>
      {listing && <ProjectLine listing={listing} slug={listing.slug} />}
      <PromotionFacts running={running} order={order} />
      {order && renews && outcome.kind !== "ended" && <RenewalNotice order={order} />}
      {running?.isFeatured === false && (
        <p>
          All {MAX_FEATURED_SLOTS}{" "}
          spots are taken this hour. Higher tiers come first, and projects in the same tier take
          turns hourly. Everywhere else, your project already has its “Promoted” label.
        </p>
      )}
      <p class="cluster">
        {listing && (
          <a class="button primary" href={paths.listing(listing.slug)}>
            See the project
          </a>
        )} {isWaiting
          ? <LoadAgain />
          : listing && (
            <a class="button" href={paths.listingPromotionReport(listing.slug)}>
              See the promotion report
            </a>
          )}
      </p>
    </>
  );
}

/**
 * The outcome of this particular bid (others may bid for the same listing): it leads, was outbid,
 * came too late or too low, won or lost at the close, isn't confirmed yet, or was never placed.
 */
function bidMessage({ outcome, listing, auction }: Checkout): Message {
  const bid = outcome.kind === "held" ? outcome.bid : null;
  const isOver = auction?.status === "past";
  const amount = bid && dollars(bid.amountCents);
  const name = listing ? <span dir="auto">{listing.name}</span> : bid?.slug;
  const released = bid?.hold === "captured"
    ? `Your card was charged for your bid of ${amount} by mistake. The operator has been notified.`
    : `The hold for your bid of ${amount} ` +
      (bid?.hold === "released" ? "was released. Nothing was charged." : "is being released.");
  const say = (heading: string, what: ComponentChildren, isOpen = false): Message => ({
    heading,
    isThanks: isOpen,
    text: (
      <>
        <p class="lead">{what}</p>
        {auction && <BidState bid={bid} listing={listing} auction={auction} isOpen={isOpen} />}
      </>
    ),
  });
  if (outcome.kind === "bid_left") {
    return say("No bid placed", "You left checkout, so there is no hold on your card.");
  }
  switch (bid?.state) {
    case "outbid":
      return say("You were outbid", released);
    case "lapsed":
      return say(
        "Your bid didn't count",
        "By the time the hold was confirmed, the bid was too low or too late, or the project was no " +
          `longer listed. ${released}`,
      );
    case "withdrawn":
      return say("Your bid was withdrawn with its project", released);
    case "won":
      return say(
        "Your bid won",
        <>
          {amount} and the fee were charged. {name}{" "}
          {listing === null
            ? "is no longer on this site, so it isn't in the Front Row"
            : `has the Front Row from ${formatSpan(auction!.startsAt, auction!.endsAt)}`}.
        </>,
      );
    case "capture-failed":
      return say(
        "Bidding is over",
        `Your bid of ${amount} was the highest, but your card couldn't be charged, ` +
          "so the spot stays empty.",
      );
    case "high":
      if (isOver) {
        const what = bid.hold === "released"
          ? "but the hold on your card has ended, so it can't win."
          : "and your card is being charged.";
        return say("Bidding is over", `Your bid of ${amount} is the highest, ${what}`);
      }
      return say(
        "Your bid is in the lead",
        bid.hold === "held"
          ? "Your card is authorized. It will be charged only if this bid wins."
          : "The hold on your card has ended, so this bid can't win. Bid again.",
        true,
      );
  }
  if (isOver) {
    return say(
      "Bidding is over",
      "If your bid didn't count, the hold is released and nothing is charged.",
    );
  }
  return say(
    "Your card hold is being confirmed",
    "This usually takes a few seconds. Once that's done, your bid takes the lead if it is still high enough. " +
      `If not, the hold is released right away.${
        bid ? "" : " See the auction for the current leader."
      }`,
    true,
  );
}
