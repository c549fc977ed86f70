import { page } from "fresh";
import type { ComponentChildren } from "preact";
import { ProjectLine, RenewalNotice } from "@/components/CheckoutFacts.tsx";
import { Fact } from "@/components/Fact.tsx";
import { Page } from "@/components/Page.tsx";
import { Time } from "@/components/Time.tsx";
import { define } from "@/lib/app/define.ts";
import { bidFormPath } from "@/lib/auctions/form.ts";
import type { AuctionBody, BidCheckout } from "@/lib/auctions/schema.ts";
import { getAuction } from "@/lib/auctions/service.ts";
import { findTier } from "@/lib/catalog/tiers.ts";
import { isoTime } from "@/lib/clock.ts";
import { NO_STORE } from "@/lib/http/forms.ts";
import { isTakenDown } from "@/lib/listings/service.ts";
import { getCheckout } from "@/lib/payments/checkout.ts";
import { dollars } from "@/lib/payments/fees.ts";
import { kindOf } from "@/lib/payments/kinds.ts";
import { SALES_FINAL_NOTICE } from "@/lib/payments/sale_terms.ts";
import type { PromotionCheckout } from "@/lib/promotions/schema.ts";
import { formatSpan } from "@/lib/text/dates.ts";
import { paths, withQuery } from "@/lib/urls.ts";

type Checkout = PromotionCheckout | BidCheckout;

interface Data {
  checkout: Checkout;
  /** Where to pay; null once the link has expired. */
  href: string | null;
  isTakenDown: boolean;
  /** The auction of a bid. */
  auction: AuctionBody["auction"] | null;
}

/**
 * Shows an order and the link to the payment provider. The order form can't redirect there itself,
 * because browsers apply `form-action 'self'` to its redirects too.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const id = ctx.url.searchParams.get("order") ?? "";
    const checkout = await getCheckout<Checkout>(deps, id);
    const { status, url, expiresAt, isPaying } = checkout;
    if (status === "completed" || (status === "open" && isPaying)) {
      return ctx.redirect(resultPath(checkout));
    }
    const auction = checkout.kind === "bid"
      ? (await getAuction(deps, checkout.auctionId)).auction
      : null;
    const isPayable = status === "open" && expiresAt > deps.clock.now() &&
      auction?.status !== "past" &&
      !await kindOf(deps, checkout).isUseless(deps.store, checkout);
    return page<Data>({
      checkout,
      href: isPayable ? url : null,
      isTakenDown: await isTakenDown(deps.store, checkout.slug),
      auction,
    }, NO_STORE);
  },
});

export default define.page<typeof handler>(function Pay({ data, state }) {
  const { checkout, href, isTakenDown, auction } = data;
  const { slug } = checkout;
  const heading = checkout.kind === "promotion" ? "Review your order" : "Review your bid";
  const project = <ProjectLine listing={state.deps.catalogue.get(slug) ?? null} slug={slug} />;
  return (
    <Page deps={state.deps} title={heading} isNarrow>
      <h1>{heading}</h1>
      {href === null
        ? <Ended checkout={checkout} project={project} isTakenDown={isTakenDown} />
        : checkout.kind === "promotion"
        ? <Order order={checkout} href={href} project={project} />
        : <Bid bid={checkout} auction={auction!} href={href} project={project} />}
    </Page>
  );
});

function Ended(
  { checkout, project, isTakenDown }: Pick<Data, "checkout" | "isTakenDown"> & {
    project: ComponentChildren;
  },
) {
  const again = checkout.kind === "promotion" ? paths.promote : paths.auction(checkout.auctionId);
  // Stripe may have a payment that we haven't heard of yet, or one that doesn't match the order.
  const isUnpaid = checkout.status === "expired" || checkout.isPaying;
  return (
    <>
      <p class="lead">
        {isTakenDown ? "This project is no longer listed." : "This link has expired."}
        {isUnpaid && " Nothing was charged."}
      </p>
      {project}
      {!isTakenDown && (
        <p>
          <a class="button primary" href={withQuery(again, { slug: checkout.slug })}>Start again</a>
        </p>
      )}
    </>
  );
}

function Order(
  { order, href, project }: { order: PromotionCheckout; href: string; project: ComponentChildren },
) {
  const tier = findTier(order.tierId)!;
  const per = order.autoRenew ? ` each ${tier.autoRenew}` : "";
  return (
    <>
      <p class="lead">
        {tier.name}, {tier.days}{" "}
        days. You won't be charged until you pay on the payment provider's page.
      </p>
      <RenewalNotice order={order} />
      {project}
      <Link
        checkout={order}
        names={[tier.name, `Total${per}`]}
        notices={[SALES_FINAL_NOTICE]}
        href={href}
      >
        Pay {dollars(order.totalCents)}
        {per}
      </Link>
      <p>
        <a
          href={withQuery(paths.promote, {
            slug: order.slug,
            tierId: order.tierId,
            autoRenew: order.autoRenew ? "yes" : undefined,
          })}
        >
          Change the order
        </a>
      </p>
    </>
  );
}

function Bid(
  { bid, auction, href, project }: {
    bid: BidCheckout;
    auction: AuctionBody["auction"];
    href: string;
    project: ComponentChildren;
  },
) {
  return (
    <>
      <p class="lead">
        Front Row, {formatSpan(auction.startsAt, auction.endsAt)}. Bidding closes{" "}
        <Time iso={auction.closesAt} exact />.
      </p>
      <p>Your bid counts once the hold on your card is confirmed, if it still meets the minimum.</p>
      {project}
      <Link
        checkout={bid}
        names={["Bid", "Held on your card"]}
        notices={["Bids are binding.", SALES_FINAL_NOTICE]}
        href={href}
      >
        Authorize {dollars(bid.totalCents)}
      </Link>
      <p>
        <a href={bidFormPath(bid)}>Change the bid</a>
      </p>
    </>
  );
}

/** The order before payment: every amount, the notices, and the link. */
function Link(
  { checkout, names, notices, href, children }: {
    checkout: Checkout;
    /** The labels of the amount and the total. */
    names: [string, string];
    notices: string[];
    href: string;
    children: ComponentChildren;
  },
) {
  return (
    <section class="panel" aria-labelledby="order">
      <h2 id="order">Your {checkout.kind === "promotion" ? "order" : "bid"}</h2>
      <dl class="facts order">
        <Fact term={names[0]} class="num">{dollars(checkout.amountCents)}</Fact>
        <Fact term="Processing fee" class="num">{dollars(checkout.feeCents)}</Fact>
        <Fact term={names[1]} class="num">{dollars(checkout.totalCents)}</Fact>
      </dl>
      <div class="notice">
        {notices.map((notice) => <p key={notice}>{notice}</p>)}
      </div>
      <p>
        <a class="button primary" href={href} rel="nofollow noopener noreferrer">{children}</a>
      </p>
      <p class="dim">
        This link expires <Time iso={isoTime(checkout.expiresAt)} exact />.
      </p>
    </section>
  );
}

/** Our page about a paid or held checkout. */
function resultPath(checkout: Checkout): string {
  const result = checkout.kind === "promotion" ? "paid" : "held";
  return withQuery(paths.checkout(result), { order: checkout.id });
}
