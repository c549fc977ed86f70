import { MINUTE_MS } from "../clock.ts";
import { SHORTEST_LINK_MS } from "../payments/open_checkout.ts";

/**
 * How long a bid link lives: the shortest time that Stripe accepts, plus a minute for the request.
 */
export const BID_LINK_MS = SHORTEST_LINK_MS + MINUTE_MS;

/** Shown with a bid link. */
export const BID_LINK_NOTICE = `The link expires after ${
  SHORTEST_LINK_MS / MINUTE_MS
} minutes, or sooner if the bid falls below the minimum or bidding closes.`;
