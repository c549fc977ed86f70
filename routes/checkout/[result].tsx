import { page } from "fresh";
import { type Checkout, messageOf, type Outcome } from "@/components/CheckoutMessage.tsx";
import { Page } from "@/components/Page.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import type { BidCheckout } from "@/lib/auctions/schema.ts";
import { getAuction } from "@/lib/auctions/service.ts";
import { findTier } from "@/lib/catalog/tiers.ts";
import { DomainError } from "@/lib/errors.ts";
import { NO_STORE } from "@/lib/http/forms.ts";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { getCheckout } from "@/lib/payments/checkout.ts";
import { featuredSlugs } from "@/lib/promotions/featured.ts";
import { readPaidTime } from "@/lib/promotions/grants.ts";
import type { PromotionCheckout } from "@/lib/promotions/schema.ts";
import { isRenewing } from "@/lib/promotions/subscriptions.ts";
import { paths } from "@/lib/urls.ts";

/**
 * The pages to which the payment provider sends people back. Nothing is decided here: the provider
 * notifies us directly.
 */
const RESULTS = ["paid", "cancelled", "held", "bid-cancelled"] as const;

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const result = RESULTS.find((name) => name === ctx.params.result);
    if (result === undefined) throw new DomainError("not_found");
    const { searchParams } = ctx.url;
    const orderId = searchParams.get("order");
    const checkout = orderId === null
      ? null
      : await getCheckout<PromotionCheckout | BidCheckout>(deps, orderId);
    // A delayed payment failed: the order's page says so.
    if (checkout?.status === "failed" && checkout.isPaying) {
      return ctx.redirect(paths.pay(checkout.id));
    }
    const bid = checkout?.kind === "bid" ? checkout : null;
    const order = checkout?.kind === "promotion" ? checkout : null;
    const slug = checkout?.slug ?? searchParams.get("slug") ?? "";
    const listing = deps.catalogue.get(slug) ?? null;
    const id = bid?.auctionId ?? searchParams.get("auction");
    const auction = id === null ? null : (await getAuction(deps, id)).auction;
    const outcome: Outcome = result === "paid"
      ? await readPaid(deps, { order, listing })
      : result === "held"
      ? { kind: "held", bid }
      : result === "bid-cancelled"
      ? { kind: "bid_left" }
      : { kind: "left", chosen: chosenIn(searchParams) };
    const renews = order !== null && await isRenewing(deps.store, order);
    return page<Checkout>({ outcome, order, renews, listing, auction }, NO_STORE);
  },
});

/** The state of a paid order. `order` is null if the URL names none. */
async function readPaid(
  deps: Deps,
  { order, listing }: { order: PromotionCheckout | null; listing: PublicListing | null },
): Promise<Outcome> {
  if (listing === null) {
    return order === null ? { kind: "awaited" } : { kind: "hidden", slug: order.slug };
  }
  const { slug, promotion } = listing;
  const { left, endedAt, isAwaited } = await readPaidTime(deps, slug, order);
  if (endedAt !== null) return { kind: "ended", endedAt };
  if (!promotion) return { kind: "awaited" };
  return {
    kind: "running",
    promotion,
    isTimeAwaited: isAwaited,
    later: left.slice(1),
    isFeatured: featuredSlugs(deps.catalogue.promotions, deps.clock.now()).includes(slug),
  };
}

function chosenIn(query: URLSearchParams): { tierId?: string; autoRenew?: "yes" } {
  return {
    tierId: findTier(query.get("tierId") ?? "")?.id,
    autoRenew: query.get("autoRenew") === "yes" ? "yes" : undefined,
  };
}

export default define.page<typeof handler>(function CheckoutPage({ data, state }) {
  const { heading, isThanks, text } = messageOf(data);
  return (
    <Page deps={state.deps} title={heading} isNarrow>
      {isThanks
        ? (
          <h1>
            Thank you. <span class="together">{heading}</span>
          </h1>
        )
        : <h1>{heading}</h1>}
      {text}
    </Page>
  );
});
