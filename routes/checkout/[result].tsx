import { page } from "fresh";
import { formatSpan } from "@/components/format.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { Time } from "@/components/Time.tsx";
import { getAuction } from "@/lib/auctions/service.ts";
import { findTier } from "@/lib/catalog/tiers.ts";
import { define } from "@/lib/define.ts";
import { DomainError } from "@/lib/errors.ts";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { getCheckout } from "@/lib/payments/checkout.ts";
import { dollars } from "@/lib/payments/fees.ts";
import { SALES_FINAL_NOTICE } from "@/lib/payments/notices.ts";
import type { BidCheckout } from "@/lib/payments/schema.ts";
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
  /** The tier that was ordered, so that it need not be chosen again. */
  tierId?: string;
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
    const order = searchParams.get("order");
    const checkout = order === null ? null : await getCheckout(deps, order);
    const bid = checkout?.kind === "bid" ? checkout : null;
    const slug = bid?.slug ?? searchParams.get("slug") ?? "";
    const listing = deps.catalogue.get(slug) ?? null;
    const id = bid?.auctionId ?? searchParams.get("auction");
    const auction = id === null ? null : (await getAuction(deps, id)).auction;
    const tierId = findTier(searchParams.get("tierId") ?? "")?.id;
    return page<Data>({ result, listing, tierId, bid, auction }, NO_STORE);
  },
});

export default define.page<typeof handler>(function Checkout({ data, state }) {
  const { urls, env } = state.deps;
  const { result, listing, tierId, bid, auction } = data;
  return (
    <main id="main" class="page narrow prose">
      <PageHead title={`Checkout · ${env.siteName}`} urls={urls} />
      {result === "paid" && <Paid listing={listing} />}
      {result === "cancelled" && (
        <>
          <h1>Nothing was paid</h1>
          <p>
            The checkout was left without paying.
          </p>
          <p>
            <a
              class="button"
              href={withQuery(paths.promote, { slug: listing?.slug, tierId }) + "#order"}
            >
              Choose again
            </a>
          </p>
        </>
      )}
      {result === "held" && <Held listing={listing} bid={bid} auction={auction} />}
      {result === "bid-cancelled" && (
        <>
          <h1>No hold was made</h1>
          <p>The checkout was left, so there is no bid.</p>
        </>
      )}
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

function Paid({ listing }: { listing: PublicListing | null }) {
  const promotion = listing?.promotion;
  return (
    <>
      <h1>
        Thank you.{" "}
        <span class="together">
          {promotion ? "It is promoted" : "It starts when the payment is confirmed"}
        </span>
      </h1>
      {promotion
        ? (
          <p>
            {promotion.name} runs until{" "}
            <Time iso={promotion.endsAt} exact />. A payment that is not confirmed yet adds its time
            when it is.
          </p>
        )
        : (
          <p>
            The promotion starts as soon as the payment provider confirms the payment: for cards
            within moments, for slower methods when the money has arrived.
          </p>
        )}
      {listing && (
        <p>
          <a class="button" href={paths.listing(listing.slug)}>
            See <span dir="auto">{listing.name}</span>
          </a>
        </p>
      )}
      <p class="dim">{SALES_FINAL_NOTICE}</p>
    </>
  );
}

/**
 * Says what became of this very bid (others may bid for the same listing): it leads, was outbid,
 * came too late or too low, won or lost at the close, or is not confirmed yet.
 */
function Held({ listing, bid, auction }: Pick<Data, "listing" | "bid" | "auction">) {
  const isOver = auction?.status === "past";
  const close = auction && (
    <>
      The high bid {isOver ? "was" : "is"}{" "}
      {auction.highBid ?? (isOver ? "none" : "none yet")}; bidding {isOver ? "closed" : "closes"}
      {" "}
      <Time iso={auction.closesAt} exact />.
    </>
  );
  const later = <p>Keep this page's address: it shows how the bid stands. No message is sent.</p>;
  const amount = bid && dollars(bid.amountCents);
  const name = listing ? <span dir="auto">{listing.name}</span> : bid?.slug;
  const released = `The hold for your bid of ${amount} ` + (
    bid?.hold === "released"
      ? "is released; nothing was charged."
      : bid?.hold === "captured"
      ? "was captured by mistake, of which the operator is told."
      : "is being released."
  );
  switch (bid?.state) {
    case "outbid":
      return (
        <>
          <h1>You were outbid</h1>
          <p>{released} {close}</p>
        </>
      );
    case "lapsed":
      return (
        <>
          <h1>Your bid did not count</h1>
          <p>
            When the hold was confirmed, the bid was too low or too late, or its project was not
            shown any more. {released} {close}
          </p>
        </>
      );
    case "won":
      return (
        <>
          <h1>Your bid won</h1>
          <p>
            {amount} and the fee are charged; {name} has the Front Row from{" "}
            {formatSpan(auction!.startsAt, auction!.endsAt)}. {close}
          </p>
        </>
      );
    case "capture-failed":
      return (
        <>
          <h1>Bidding is over</h1>
          <p>
            Your bid of {amount}{" "}
            was the highest, but the card could not be charged: the place stays empty. {close}
          </p>
        </>
      );
    case "high":
      return isOver
        ? (
          <>
            <h1>Bidding is over</h1>
            <p>
              Your bid of {amount} is the highest, {bid.hold === "released"
                ? "but the hold on the card has ended, so it cannot win the place."
                : "and is being charged."} {close}
            </p>
          </>
        )
        : (
          <>
            <h1>
              Thank you. <span class="together">Your bid leads</span>
            </h1>
            <p>
              {amount} for {name}: {bid.hold === "held"
                ? "the card is held, not charged."
                : "the hold on the card has ended, so it cannot win the place. Bid again."} {close}
            </p>
            {later}
          </>
        );
  }
  if (isOver) {
    return (
      <>
        <h1>Bidding is over</h1>
        <p>A hold whose bid did not count is released; nothing is charged for it. {close}</p>
      </>
    );
  }
  return (
    <>
      <h1>
        Thank you. <span class="together">Your hold is on its way</span>
      </h1>
      <p>
        The payment provider confirms it within moments. If the bid still reaches the minimum then,
        it leads; if not, the hold is released at once. {close}
      </p>
      {bid && later}
    </>
  );
}
