import type { Store } from "../kv/store.ts";
import { type AuctionDates, comingPeriods } from "./calendar.ts";
import { auctionKeys } from "./keys.ts";
import type { StoredAuction } from "./schema.ts";
import { statusOf } from "./status.ts";

/** The auction that takes bids now, or null. Its close counts as late bids have extended it. */
export async function readOpenAuction(store: Store, now: number): Promise<AuctionDates | null> {
  const [dates] = comingPeriods(now, 1) as [AuctionDates];
  const { value } = await store.get<StoredAuction>(auctionKeys.one(dates.id));
  return statusOf(dates, value, now) === "open" ? dates : null;
}
