import { assertEquals, assertStringIncludes } from "@std/assert";
import { bidKind } from "@/lib/auctions/payment_kind.ts";
import type { BidCheckout } from "@/lib/auctions/schema.ts";
import type { TierId } from "@/lib/catalog/tiers.ts";
import { charge } from "@/lib/payments/fees.ts";
import { SALES_FINAL_NOTICE } from "@/lib/payments/sale_terms.ts";
import { sessionParams } from "@/lib/payments/session_params.ts";
import { promotionKind } from "@/lib/promotions/payment_kind.ts";
import type { PromotionCheckout } from "@/lib/promotions/schema.ts";
import { createUrls } from "@/lib/urls.ts";

const deps = {
  urls: createUrls("http://projectory.test"),
  paymentKinds: [bidKind, promotionKind],
};
const base = {
  ...charge(900),
  id: "ord_1",
  slug: "inkwell",
  status: "creating",
  attempt: 1,
  lookUp: false,
  sessionId: null,
  url: null,
  createdAt: 0,
  expiresAt: 1_860_000,
} as const;

function orderParams(tierId: TierId, autoRenew: boolean) {
  return sessionParams(
    deps,
    { ...base, kind: "promotion", tierId, autoRenew } as PromotionCheckout,
  );
}

/** A session's lines: name, cents and how often they recur. */
function linesOf({ line_items }: ReturnType<typeof sessionParams>) {
  return line_items!.map(({ price_data }) => [
    price_data!.product_data!.name,
    price_data!.unit_amount,
    price_data!.recurring?.interval ?? null,
  ]);
}

Deno.test("sessionParams of an order lists tier and fee separately, with the sales-final notice and order id", () => {
  const metadata = { kind: "promotion", slug: "inkwell", tierId: "boost-7", orderId: "ord_1" };
  const once = orderParams("boost-7", false);
  assertEquals([once.mode, once.customer_creation], ["payment", "always"]);
  // In another currency, a payment would not match its order.
  assertEquals(once.adaptive_pricing, { enabled: false });
  assertEquals([once.metadata, once.payment_intent_data?.metadata], [metadata, metadata]);
  assertEquals(once.custom_text!.submit, { message: SALES_FINAL_NOTICE });
  assertEquals(linesOf(once), [["Boost promotion, 7 days", 900, null], [
    "Processing fee",
    58,
    null,
  ]]);
  for (const [tierId, interval] of [["boost-7", "week"], ["spotlight-30", "month"]] as const) {
    const renewing = orderParams(tierId, true);
    assertEquals(renewing.mode, "subscription");
    assertEquals(renewing.subscription_data?.metadata, { ...metadata, tierId });
    assertEquals(renewing.custom_text!.submit, { message: SALES_FINAL_NOTICE });
    assertEquals(linesOf(renewing).map((line) => line[2]), [interval, interval]);
  }
});

Deno.test("sessionParams of a bid only holds cards, and says beforehand that bids are binding", () => {
  const bid: BidCheckout = {
    ...base,
    kind: "bid",
    auctionId: "front-row-2026-11-23",
    name: "Inkwell",
    agentName: null,
    state: "pending",
    intentId: null,
    captureBefore: null,
    hold: "none",
  };
  const params = sessionParams(deps, bid) as ReturnType<typeof sessionParams> & {
    allowed_payment_method_types?: string[];
  };
  const metadata = {
    kind: "bid",
    slug: "inkwell",
    auctionId: "front-row-2026-11-23",
    bidId: "ord_1",
  };
  assertEquals([params.mode, params.expires_at], ["payment", 1860]);
  assertEquals(params.adaptive_pricing, { enabled: false });
  assertEquals(params.allowed_payment_method_types, ["card"]);
  assertEquals(params.payment_intent_data, { capture_method: "manual", metadata });
  const { message } = params.custom_text!.submit as { message: string };
  assertStringIncludes(message, "authorized for $9.58, not charged");
  assertStringIncludes(
    message,
    "If this bid falls below the minimum or bidding closes first, this page expires and nothing is held.",
  );
  assertStringIncludes(message, `Bids are binding. ${SALES_FINAL_NOTICE}`);
  assertEquals(linesOf(params).map((line) => line[1]), [900, 58]);
});
