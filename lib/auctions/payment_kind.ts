import { HOUR_MS } from "../clock.ts";
import { isTakenDown } from "../listings/service.ts";
import { dollars } from "../payments/fees.ts";
import type { PaymentKind } from "../payments/kinds.ts";
import { idOf } from "../payments/objects.ts";
import { SALES_FINAL_NOTICE } from "../payments/sale_terms.ts";
import { lineItems } from "../payments/session_params.ts";
import { paths, withQuery } from "../urls.ts";
import { BID_LINK_MS } from "./bid_links.ts";
import { closeDueAuctions } from "./closing.ts";
import { applyIntent, reconcileHolds } from "./holds.ts";
import { auctionKeys } from "./keys.ts";
import { bidPerformers } from "./operations.ts";
import type { BidCheckout, StoredAuction } from "./schema.ts";
import { isOutrun } from "./status.ts";

/** What payments must know about bids. */
export const bidKind: PaymentKind<BidCheckout> = {
  kind: "bid",
  idField: "bidId",
  linkMs: BID_LINK_MS,
  metadata: ({ auctionId, id }) => ({ auctionId, bidId: id }),
  session(bid, { to, metadata }) {
    const { id, auctionId, slug } = bid;
    // If a link expires while somebody is using it, Stripe's page doesn't say why. So this does.
    const message =
      `Your card is authorized for ${dollars(bid.totalCents)}, not charged. The hold ` +
      "is released if you are outbid, and charged if you win. If this bid falls below the minimum " +
      "or bidding closes first, this page expires and nothing is held. " +
      `Bids are binding. ${SALES_FINAL_NOTICE}`;
    return {
      mode: "payment",
      allowed_payment_method_types: ["card"],
      line_items: lineItems(bid, `Front Row bid, ${auctionId.slice(-10)}`),
      success_url: to(withQuery(paths.checkout("held"), { order: id })),
      cancel_url: to(withQuery(paths.checkout("bid-cancelled"), { auction: auctionId, slug })),
      custom_text: { submit: { message } },
      payment_intent_data: { capture_method: "manual", metadata },
    };
  },
  async isUseless(kv, { slug, auctionId, amountCents }) {
    if (await isTakenDown(kv, slug)) return true;
    const { value } = await kv.get<StoredAuction>(auctionKeys.one(auctionId));
    return isOutrun(value, amountCents);
  },
  async applyComplete(deps, { session, cause }) {
    if (session.payment_intent === null) return;
    await applyIntent(deps, idOf(session.payment_intent), cause);
  },
  applies: { intent: applyIntent },
  performers: bidPerformers,
  awaited: auctionKeys.allUnsettled,
  settle: closeDueAuctions,
  reconciles: [{ name: "holds", every: HOUR_MS, run: reconcileHolds }],
};
