import { assert, assertEquals } from "@std/assert";
import type { BidCheckout } from "@/lib/auctions/schema.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { paymentKeys } from "@/lib/payments/keys.ts";
import { createStripe } from "@/lib/payments/stripe.ts";
import { addressOf } from "../support/listings.ts";
import { AUCTION_ID, type PaidApp } from "../support/payments.ts";

/** When the auction of AUCTION_ID closes (ms) unless late bids extend it. */
export const CLOSE = Date.parse("2026-11-22T00:00:00Z");
/** When its week begins (ms). */
export const START = Date.parse("2026-11-23T00:00:00Z");
let caller = 0;

/** Settles payments while Stripe rejects the service's key, as if it had been revoked. */
export async function settleWithRevokedKey({ deps, stripe }: PaidApp): Promise<void> {
  const { stripe: own } = deps;
  deps.stripe = createStripe({ secretKey: "sk_test_revoked", fetch: stripe.fetch });
  await settlePayments(deps);
  deps.stripe = own;
}

/** Asks for a link to bid, from a new address each time. */
export function bid(app: PaidApp, slug: string, amountCents: unknown, id = AUCTION_ID) {
  return app.json(`/api/v1/auctions/${id}/bids`, {
    json: { slug, amountCents },
    address: addressOf(++caller),
  });
}

/** Makes a link and returns the id of its session. */
export async function link(app: PaidApp, slug: string, amountCents: number): Promise<string> {
  const { status, body } = await bid(app, slug, amountCents);
  assertEquals(status, 201, JSON.stringify(body));
  return app.sessionOf(body.checkoutUrl);
}

/** Makes a bid with a confirmed hold and returns the id of its session. */
export async function hold(app: PaidApp, slug: string, amountCents: number): Promise<string> {
  const session = await link(app, slug, amountCents);
  assert(app.stripe.pay(session));
  await app.deliverAll();
  return session;
}

/** An auction as the API shows it. */
export async function auctionOf(app: PaidApp, id = AUCTION_ID) {
  return (await app.json(`/api/v1/auctions/${id}`)).body.auction;
}

/** The card hold of a session. */
export function intentOf(app: PaidApp, session: string) {
  return app.stripe.intents.get(app.stripe.sessions.get(session)!.payment_intent!)!;
}

/** The stored status, state and hold of a session's bid. */
export async function fateOf(app: PaidApp, session: string) {
  const { bidId } = app.stripe.sessions.get(session)!.metadata;
  const { value } = await app.deps.store.get<BidCheckout>(paymentKeys.checkout(bidId!));
  return `${value!.status}, ${value!.state}, ${value!.hold}`;
}

/** Hides a listing. */
export async function hide(app: PaidApp, slug: string) {
  await moveListing(app.deps, { slug, step: "hide" });
}
