/** How long the links live under which somebody pays or bids. */
import { HOUR_MS, MINUTE_MS } from "../clock.ts";

/** The shortest time that Stripe lets a link live, from the moment when it is asked. */
export const SHORTEST_LINK_MS = 30 * MINUTE_MS;

/**
 * How long the link of a bid lives: the shortest time that Stripe accepts, and a minute for the
 * request.
 */
export const BID_LINK_MS = SHORTEST_LINK_MS + MINUTE_MS;

/**
 * How long the link of an order lives: a little less than the 24 hours that Stripe accepts at most.
 */
export const ORDER_LINK_MS = 23 * HOUR_MS;

/** Said with the link of a bid. */
export const BID_LINK_NOTICE = `The link ends after ${
  SHORTEST_LINK_MS / MINUTE_MS
} minutes, or sooner: when the minimum rises above its bid or bidding closes.`;

/** Said with the link of an order. */
export const ORDER_LINK_NOTICE = `The link ends after ${ORDER_LINK_MS / HOUR_MS} hours.`;
