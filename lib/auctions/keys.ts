/**
 * Keys of auctions; bids themselves are checkouts (`lib/payments/keys.ts`).
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["auctions", id] | `StoredAuction`; absent until the first accepted bid or the close | bids, the close, the capture, `withdrawBid` |
 * | ["auctions_unsettled", id] | true until the auction has an outcome | bid links, the close, the capture |
 * | ["auction_history", id, number] | `StoredEntry`; append-only, except for `withdrawn` | an accepted bid, `withdrawBid` |
 */
export const auctionKeys = {
  all: ["auctions"],
  one: (id: string) => ["auctions", id],
  unsettled: (id: string) => ["auctions_unsettled", id],
  allUnsettled: ["auctions_unsettled"],
  entry: (id: string, number: number) => ["auction_history", id, number],
  history: (id: string) => ["auction_history", id],
} as const;
