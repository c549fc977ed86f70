import { page } from "fresh";
import { type ComponentChildren, Fragment } from "preact";
import { formatSpan } from "@/components/format.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { Time } from "@/components/Time.tsx";
import { getAuction } from "@/lib/auctions/service.ts";
import { findTier, MAX_FEATURED_SLOTS } from "@/lib/catalog/tiers.ts";
import { isoTime } from "@/lib/clock.ts";
import { define } from "@/lib/define.ts";
import { DomainError } from "@/lib/errors.ts";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { getCheckout } from "@/lib/payments/checkout.ts";
import { dollars } from "@/lib/payments/fees.ts";
import { SALES_FINAL_NOTICE } from "@/lib/payments/notices.ts";
import type { BidCheckout, PromotionCheckout } from "@/lib/payments/schema.ts";
import { featuredSlugs } from "@/lib/promotions/featured.ts";
import { isAwaited, ranOutAt, timeLeft } from "@/lib/promotions/grants.ts";
import type { PromotionSpan } from "@/lib/promotions/time.ts";
import { NO_STORE } from "@/lib/site/forms.ts";
import { paths, withQuery } from "@/lib/urls.ts";

/**
 * The pages to which the payment provider sends people back. Nothing is decided here: the provider
 * tells us directly.
 */
const RESULTS = ["paid", "cancelled", "held", "bid-cancelled"] as const;
type Result = (typeof RESULTS)[number];

interface Data {
  result: Result;
  /** The listing that was promoted or bid for, if it is public. */
  listing: PublicListing | null;
  /** What was ordered, so that it need not be chosen again. */
  chosen: { tierId?: string; autoRenew?: "yes" };
  /** The order that was paid. */
  order: PromotionCheckout | null;
  /** Whether the time of the order is still to be added. */
  isTimeAwaited: boolean;
  /** When all of the time was used up that was bought by it and before, ms. */
  endedAt: number | null;
  /** The tiers that run after the one that shows now. */
  later: PromotionSpan[];
  /** Whether it has a place in the featured strip now. */
  isFeatured: boolean;
  /** The bid for which the hold was made. */
  bid: BidCheckout | null;
  /** The auction that was bid on. */
  auction: Awaited<ReturnType<typeof getAuction>>["auction"] | null;
}

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const result = RESULTS.find((name) => name === ctx.params.result);
    if (result === undefined) throw new DomainError("not_found");
    const { searchParams } = ctx.url;
    const orderId = searchParams.get("order");
    const checkout = orderId === null ? null : await getCheckout(deps, orderId);
    // A slow payment failed: the page of the order says so.
    if (checkout?.status === "failed" && checkout.isPaying) {
      return ctx.redirect(paths.pay(checkout.id));
    }
    const bid = checkout?.kind === "bid" ? checkout : null;
    const order = checkout?.kind === "promotion" ? checkout : null;
    const slug = checkout?.slug ?? searchParams.get("slug") ?? "";
    const listing = deps.catalogue.get(slug) ?? null;
    const id = bid?.auctionId ?? searchParams.get("auction");
    const auction = id === null ? null : (await getAuction(deps, id)).auction;
    const chosen: Data["chosen"] = {
      tierId: findTier(searchParams.get("tierId") ?? "")?.id,
      autoRenew: searchParams.get("autoRenew") === "yes" ? "yes" : undefined,
    };
    const isPaid = result === "paid" && listing !== null;
    const later = isPaid ? (await timeLeft(deps, slug)).slice(1) : [];
    const isFeatured = isPaid &&
      featuredSlugs(deps.catalogue.promotions, deps.clock.now()).includes(slug);
    const endedAt = order?.status === "completed" ? await ranOutAt(deps, order) : null;
    const isTimeAwaited = order !== null && await isAwaited(deps, order);
    const paid = { order, isTimeAwaited, endedAt, later, isFeatured };
    return page<Data>({ result, listing, chosen, ...paid, bid, auction }, NO_STORE);
  },
});

export default define.page<typeof handler>(function Checkout({ data, state }) {
  const { listing, auction } = data;
  const { heading, isThanks, text } = outcomeOf(data);
  return (
    <main id="main" class="page narrow prose">
      <PageHead deps={state.deps} title={heading} />
      {isThanks
        ? (
          <h1>
            Thank you. <span class="together">{heading}</span>
          </h1>
        )
        : <h1>{heading}</h1>}
      {text}
      {auction && (
        <p>
          <a class="button" href={withQuery(paths.auction(auction.id), { slug: listing?.slug })}>
            See the auction
          </a>
        </p>
      )}
    </main>
  );
});

/** What became of an order: the heading and title of its page, and what stands below. */
interface Outcome {
  heading: string;
  /** Whether the page thanks first. */
  isThanks?: boolean;
  text: ComponentChildren;
}

function outcomeOf(data: Data): Outcome {
  const { result, listing, chosen } = data;
  if (result === "paid") return paid(data);
  if (result === "held") return held(data);
  if (result === "bid-cancelled") {
    const text = <p>The checkout was left, so there is no bid.</p>;
    return { heading: "No hold was made", text };
  }
  const again = withQuery(paths.promote, { slug: listing?.slug, ...chosen }) + "#order";
  return {
    heading: "Nothing was paid",
    text: (
      <>
        <p>The checkout was left without paying.</p>
        <p>
          <a class="button" href={again}>Choose again</a>
        </p>
      </>
    ),
  };
}

function paid({ listing, order, isTimeAwaited, endedAt, later, isFeatured }: Data): Outcome {
  const see = listing && (
    <p>
      <a class="button" href={paths.listing(listing.slug)}>
        See <span dir="auto">{listing.name}</span>
      </a>
    </p>
  );
  if (order !== null && listing === null) {
    const text = <p>{order.slug} is not shown on this site any more, nor is its promotion.</p>;
    return { heading: "Its project is not shown", text };
  }
  if (endedAt !== null) {
    return {
      heading: "It is not promoted any more",
      text: (
        <>
          <p>
            The promotion ran until <Time iso={isoTime(endedAt)} exact />.
          </p>
          {see}
        </>
      ),
    };
  }
  const promotion = listing?.promotion;
  return {
    heading: !promotion
      ? "It starts when the payment is confirmed"
      : isTimeAwaited
      ? "Its time is added when the payment is confirmed"
      : "It is promoted",
    isThanks: true,
    text: (
      <>
        {promotion
          ? (
            <p>
              {promotion.name} runs until <Time iso={promotion.endsAt} exact />
              {later.map(({ tierId, endsAt }) => (
                <Fragment key={tierId}>
                  , then {findTier(tierId)!.name} until <Time iso={isoTime(endsAt)} exact />
                </Fragment>
              ))}. A payment that is not confirmed yet adds its time when it is.
            </p>
          )
          : (
            <p>
              The promotion starts as soon as the payment provider confirms the payment: for cards
              within moments, for slower methods when the money has arrived.
            </p>
          )}
        {promotion && !isFeatured && (
          <p>
            All {MAX_FEATURED_SLOTS}{" "}
            featured places are in use at this hour. Higher tiers show first, and those of one tier
            take turns by the hour. Everywhere else it is labelled as promoted already.
          </p>
        )}
        {see}
        <p class="dim">{SALES_FINAL_NOTICE}</p>
      </>
    ),
  };
}

/**
 * Says what became of this very bid (others may bid for the same listing): it leads, was outbid,
 * came too late or too low, won or lost at the close, or is not confirmed yet.
 */
function held({ listing, bid, auction }: Data): Outcome {
  const isOver = auction?.status === "past";
  const close = auction && (
    <>
      The high bid {isOver ? "was" : "is"}{" "}
      {auction.highBid ?? (isOver ? "none" : "none yet")}; bidding {isOver ? "closed" : "closes"}
      {" "}
      <Time iso={auction.closesAt} exact />.
    </>
  );
  const amount = bid && dollars(bid.amountCents);
  const name = listing ? <span dir="auto">{listing.name}</span> : bid?.slug;
  const released = `The hold for your bid of ${amount} ` + (
    bid?.hold === "released"
      ? "is released; nothing was charged."
      : bid?.hold === "captured"
      ? "was captured by mistake, of which the operator is told."
      : "is being released."
  );
  const say = (heading: string, what: ComponentChildren, isOpen = false): Outcome => ({
    heading,
    isThanks: isOpen,
    text: (
      <>
        <p>{what} {close}</p>
        {isOpen && bid && (
          <p>Keep this page's address: it shows how the bid stands. No message is sent.</p>
        )}
      </>
    ),
  });
  switch (bid?.state) {
    case "outbid":
      return say("You were outbid", released);
    case "lapsed":
      return say(
        "Your bid did not count",
        "When the hold was confirmed, the bid was too low or too late, or its project was not " +
          `shown any more. ${released}`,
      );
    case "won":
      return say(
        "Your bid won",
        <>
          {amount} and the fee are charged; {name}{" "}
          {listing === null
            ? "is not shown on this site any more, nor in the Front Row"
            : `has the Front Row from ${formatSpan(auction!.startsAt, auction!.endsAt)}`}.
        </>,
      );
    case "capture-failed":
      return say(
        "Bidding is over",
        `Your bid of ${amount} was the highest, but the card could not be charged: ` +
          "the place stays empty.",
      );
    case "high":
      if (isOver) {
        const what = bid.hold === "released"
          ? "but the hold on the card has ended, so it cannot win the place."
          : "and is being charged.";
        return say("Bidding is over", `Your bid of ${amount} is the highest, ${what}`);
      }
      return say(
        "Your bid leads",
        <>
          {amount} for {name}:{" "}
          {bid.hold === "held"
            ? "the card is held, not charged."
            : "the hold on the card has ended, so it cannot win the place. Bid again."}
        </>,
        true,
      );
  }
  if (isOver) {
    return say(
      "Bidding is over",
      "A hold whose bid did not count is released; nothing is charged for it.",
    );
  }
  return say(
    "Your hold is on its way",
    "The payment provider confirms it within moments. If the bid still reaches the minimum then, " +
      "it leads; if not, the hold is released at once.",
    true,
  );
}
