import { attempt, DISPENSABLE_MS } from "../kv/attempt.ts";
import { LIMITS } from "../limits.ts";
import { errorFields } from "../log.ts";
import { arePaymentsOpen } from "../payments/availability.ts";
import { FEE_NOTICE, SALES_FINAL_NOTICE } from "../payments/sale_terms.ts";
import {
  type AuctionDates,
  comingPeriods,
  requireAuctionDates,
  storedAuctionDates,
  UPCOMING_SHOWN,
} from "./calendar.ts";
import { closeAuction } from "./closing.ts";
import type { Deps } from "./deps.ts";
import { genesisHash, type HistoryEntry } from "./history.ts";
import { auctionKeys } from "./keys.ts";
import { toNextOpening, toPublicAuction, toPublicBid } from "./public.ts";
import { type AuctionBody, type AuctionsBody, PastWinner, type StoredAuction } from "./schema.ts";
import { closeOf } from "./status.ts";

/** The auction rules, as stated by the API, MCP and pages. */
export const AUCTION_RULES: readonly string[] = [
  "Each auction sells the Front Row for one week, starting Monday 00:00 UTC. Bidding starts at $10.",
  "Bidding opens 6 days before the week starts and closes 24 hours before it starts. A bid in the " +
  "last 10 minutes extends bidding by 10 minutes, but never past one hour before the week starts.",
  "Each new bid must beat the high bid by $1 or 5%, whichever is greater, rounded up to the next cent.",
  "Bids are binding. Your card is authorized (the amount is held, not charged) for the bid plus the processing fee. " +
  "A bid counts once the payment provider confirms the hold.",
  "When you are outbid, your hold is released right away. The winner's hold is captured in full when " +
  "bidding closes. If that fails, the spot stays empty and nobody else is charged.",
  "The winning project comes first on the home page, above the promoted projects, and in the trending, where_to_promote " +
  "and llms.txt lists. It is labeled as sponsored.",
  "The bid history is public. Each bid includes the previous bid's hash, so tampering with the history would show.",
  SALES_FINAL_NOTICE,
];

/** The Front Row listing, open and upcoming auctions, and past winners. */
export async function listAuctions(deps: Deps): Promise<AuctionsBody> {
  const now = deps.clock.now();
  const coming = comingPeriods(now, UPCOMING_SHOWN + 1);
  const auctions = await Promise.all(coming.map(async (dates) => {
    return toPublicAuction(deps, dates, await readAuction(deps, dates), now);
  }));
  return {
    frontRow: deps.catalogue.frontRow,
    paymentsOpen: await arePaymentsOpen(deps),
    open: auctions.filter((auction) => auction.status === "open"),
    closing: auctions.filter((auction) => auction.status === "past"),
    upcoming: auctions.filter((auction) => auction.status === "upcoming"),
    nextOpening: toNextOpening(now),
    pastWinners: await listPastWinners(deps, now),
    rules: [...AUCTION_RULES],
    feeNotice: FEE_NOTICE,
  };
}

/** One auction with its bid history. Throws `not_found`. */
export async function getAuction(deps: Deps, id: string): Promise<AuctionBody> {
  const now = deps.clock.now();
  const dates = requireAuctionDates(id, now);
  const auction = await readAuction(deps, dates);
  const bids = [];
  if (auction !== null) {
    const entries = deps.store.list<HistoryEntry>({ prefix: auctionKeys.history(id) });
    for await (const { value } of entries) {
      // Entries written after the auction was read belong to the next response.
      if (value.number <= auction.bids) bids.push(toPublicBid(deps, value, auction));
    }
  }
  return {
    auction: {
      ...toPublicAuction(deps, dates, auction, now),
      genesisHash: genesisHash(id),
      bids: bids.reverse(),
    },
    nextOpening: toNextOpening(now),
  };
}

/** Closes an auction for readers. All concurrent readers share one close. */
function closeOnce(deps: Deps, id: string): Promise<unknown> {
  const { closes } = deps;
  const close = closes.get(id) ?? closeAuction(deps, id).finally(() => closes.delete(id));
  closes.set(id, close);
  return close;
}

/** Reads an auction. If it is due but no job has closed it, it is closed first, if possible. */
async function readAuction(deps: Deps, dates: AuctionDates): Promise<StoredAuction | null> {
  const key = auctionKeys.one(dates.id);
  const { value } = await deps.store.get<StoredAuction>(key);
  const isMissed = value !== null && value.closedAt === null &&
    deps.clock.now() >= closeOf(dates, value);
  if (!isMissed) return value;
  try {
    await attempt(() => closeOnce(deps, dates.id), DISPENSABLE_MS);
  } catch (error) {
    // The close may still finish, or a job will do it. Either way, the response goes by the clock.
    deps.log.warn("auction_not_closed", errorFields(error));
  }
  return (await deps.store.get<StoredAuction>(key)).value;
}

async function listPastWinners(deps: Deps, now: number): Promise<PastWinner[]> {
  const winners: PastWinner[] = [];
  const latest = { reverse: true, batchSize: LIMITS.winnersShown };
  const all = deps.store.list<StoredAuction>({ prefix: auctionKeys.all }, latest);
  for await (const { value } of all) {
    const shown = toPublicAuction(deps, storedAuctionDates(value.id), value, now);
    const { winner, highBidCents: amountCents, highBid: amount } = shown;
    if (winner === null) continue;
    winners.push(PastWinner.parse({ ...shown, ...winner, amountCents, amount }));
    if (winners.length === LIMITS.winnersShown) break;
  }
  return winners;
}
