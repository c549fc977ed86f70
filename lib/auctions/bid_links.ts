/** Bid links: how long they live, and which have ended. */
import { MINUTE_MS } from "../clock.ts";
import { listIds } from "../kv/ranges.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";
import { paymentKeys } from "../payments/keys.ts";
import { SHORTEST_LINK_MS } from "../payments/open_checkout.ts";
import type { NewOperation } from "../payments/operations.ts";
import { expiryOf } from "../payments/performers.ts";
import { auctionKeys } from "./keys.ts";
import type { BidCheckout, StoredAuction } from "./schema.ts";
import { isOutrun } from "./status.ts";

/**
 * How long a bid link lives: the shortest time that Stripe accepts, plus a minute for the request.
 */
export const BID_LINK_MS = SHORTEST_LINK_MS + MINUTE_MS;

/** Shown with a bid link. */
export const BID_LINK_NOTICE = `The link expires after ${
  SHORTEST_LINK_MS / MINUTE_MS
} minutes, or sooner if the bid falls below the minimum or bidding closes.`;

/**
 * The operations that expire an auction's open links: those below the minimum bid, or all after it
 * has closed.
 */
export async function bidsToSweep(
  deps: PaymentDeps,
  auctionId: string,
): Promise<NewOperation[]> {
  const { value: auction } = await deps.store.get<StoredAuction>(auctionKeys.one(auctionId));
  const ids = await listIds(deps.store, auctionKeys.pendingBids(auctionId));
  const bids = await deps.store.getMany<BidCheckout>(ids.map((id) => paymentKeys.checkout(id)));
  const open = bids.flatMap(({ value }) => value?.status === "open" ? [value] : []);
  return open.filter(({ amountCents }) => isOutrun(auction, amountCents)).map(expiryOf);
}
