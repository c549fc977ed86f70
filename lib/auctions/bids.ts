/** Bids: from the link to the single decision on whether a confirmed hold leads. */
import { isoTime } from "../clock.ts";
import { requireLive } from "../entries/entries.ts";
import { DomainError, ERRORS } from "../errors.ts";
import { rateLimitQueue, spend } from "../http/rate_limit.ts";
import { storeKeys } from "../kv/keys.ts";
import type { Store, Tx } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import type { StoredListing } from "../listings/schema.ts";
import { requireOpen } from "../payments/availability.ts";
import { createCheckoutId, newCheckout, writeCheckout } from "../payments/checkout.ts";
import { type Deps as PaymentDeps, hasStripe } from "../payments/deps.ts";
import { charge, dollars, MAX_AMOUNT_CENTS } from "../payments/fees.ts";
import { hasLink, rememberKey, repeatedCheckout } from "../payments/idempotency.ts";
import { paymentKeys } from "../payments/keys.ts";
import { type Cause, markSeen } from "../payments/objects.ts";
import { openCheckout, type OpenedCheckout } from "../payments/open_checkout.ts";
import { runOperations } from "../payments/operation_runner.ts";
import { noteDue, queueOperation } from "../payments/operations.ts";
import { expireUselessLinks } from "../payments/reconcile.ts";
import { BID_LINK_MS } from "./bid_links.ts";
import {
  type AuctionDates,
  closeAfterBid,
  requireAuctionDates,
  STARTING_BID_CENTS,
  storedAuctionDates,
} from "./calendar.ts";
import { nextEntry } from "./history.ts";
import { auctionKeys } from "./keys.ts";
import { releaseOf } from "./operations.ts";
import { toNextOpening } from "./public.ts";
import type { BidCheckout, StoredAuction, StoredEntry } from "./schema.ts";
import { newAuction, readBid, tellBidder } from "./settle.ts";
import { closeOf, minimumOf, readOpenAuction, statusOf } from "./status.ts";

/** A bid as requested. */
interface BidRequest {
  auctionId: string;
  slug: string;
  /** A whole number; placing the bid checks that it is high enough. */
  amountCents: number;
  caller: { network: string; agentName: string | null };
  /** The client's `Idempotency-Key`, or null. */
  idempotencyKey: string | null;
}

/**
 * Creates the link where a human authorizes the card for a bid. The bid counts only after the hold
 * is confirmed; see `judgeBid`. Throws `bid_too_low`, `amount_too_high`, `not_found`,
 * `payments_disabled`, `auction_not_open`, `rate_limited`, `busy`, `stripe_error`, `stripe_no_url`.
 */
export async function placeBid(deps: PaymentDeps, bid: BidRequest): Promise<OpenedCheckout> {
  const { amountCents } = bid;
  if (amountCents > MAX_AMOUNT_CENTS) {
    const max = dollars(MAX_AMOUNT_CENTS);
    throw new DomainError("amount_too_high", { maxCents: MAX_AMOUNT_CENTS, max }, {
      message: `${ERRORS.amount_too_high.message} of ${max}`,
    });
  }
  const dates = requireAuctionDates(bid.auctionId, deps.clock.now());
  const id = await deps.store.transact((tx) => requestBid(deps, tx, { dates, bid }), {
    queue: rateLimitQueue("bids", bid.caller.network),
    conflict: "busy",
  });
  if (!hasStripe(deps)) throw new DomainError("payments_disabled");
  try {
    return await openCheckout(deps, id);
  } catch (error) {
    // If the bidder was outbid while Stripe created the link, say that, not that Stripe failed.
    const { value: auction } = await deps.store.get<StoredAuction>(auctionKeys.one(dates.id));
    await requireBiddable(deps.store, dates, { auction, now: deps.clock.now(), amountCents });
    throw error;
  }
}

/**
 * Records a bid's checkout and returns its id, or the earlier one if the idempotency key shows a
 * repeated request.
 */
async function requestBid(
  deps: PaymentDeps,
  tx: Tx,
  { dates, bid }: { dates: AuctionDates; bid: BidRequest },
): Promise<string> {
  const { amountCents } = bid;
  const { network } = bid.caller;
  const now = deps.clock.now();
  const [listing, switches] = await tx.getMany<unknown>([
    listingKeys.one(bid.slug),
    storeKeys.switches,
  ]);
  const { name } = requireLive<StoredListing>(listing!, "listing");
  const { value: auction } = await tx.peek<StoredAuction>(auctionKeys.one(dates.id));
  // The bidder can correct an amount below the starting bid, so report that before anything that
  // the operator has closed.
  if (amountCents < STARTING_BID_CENTS) throw tooLow(minimumOf(auction));
  if (!hasStripe(deps)) throw new DomainError("payments_disabled");
  requireOpen(switches!);
  const repeatable = {
    kind: "bid",
    network,
    key: bid.idempotencyKey,
    request: [dates.id, bid.slug, amountCents],
    now,
  } as const;
  const earlier = await repeatedCheckout(tx, repeatable);
  if (earlier !== null && hasLink(earlier)) return earlier.id;
  await requireBiddable(deps.store, dates, { auction, now, amountCents });
  if (earlier !== null) return earlier.id;
  await spend(tx, { bucket: "bids", network, now });
  const checkoutId = createCheckoutId("bid");
  writeCheckout<BidCheckout>(tx, {
    ...charge(amountCents),
    ...newCheckout(now, BID_LINK_MS),
    id: checkoutId,
    kind: "bid",
    slug: bid.slug,
    name,
    auctionId: dates.id,
    agentName: bid.caller.agentName,
    state: "pending",
    intentId: null,
    captureBefore: null,
    hold: "none",
  });
  tx.set(auctionKeys.unsettled(dates.id), true);
  noteDue(tx);
  rememberKey(tx, { ...repeatable, checkoutId });
  return checkoutId;
}

/** Throws `auction_not_open` or `bid_too_low` for a bid that could not lead at `now`. */
async function requireBiddable(
  store: Store,
  dates: AuctionDates,
  bid: { auction: StoredAuction | null; now: number; amountCents: number },
): Promise<void> {
  const { auction, now, amountCents } = bid;
  const status = statusOf(dates, auction, now);
  if (status !== "open") {
    const open = await readOpenAuction(store, now);
    throw new DomainError("auction_not_open", {
      status,
      opensAt: isoTime(dates.opensAt),
      closesAt: isoTime(closeOf(dates, auction)),
      openAuction: open && { id: open.id },
      nextAuction: toNextOpening(now),
    });
  }
  const min = minimumOf(auction);
  if (amountCents < min) throw tooLow(min);
}

function tooLow(minNext: number): DomainError {
  const minNextBid = dollars(minNext);
  return new DomainError("bid_too_low", { minNextBidCents: minNext, minNextBid }, {
    message: `${ERRORS.bid_too_low.message} of ${minNextBid}`,
    onPage: `Bid at least ${minNextBid}`,
  });
}

/** A hold confirmed by Stripe. */
interface ConfirmedHold {
  bidId: string;
  intentId: string;
  /** When Stripe created it (ms). */
  heldAt: number;
  /** When its capture window ends (ms); null if Stripe does not say. */
  captureBefore: number | null;
}

/**
 * Decides, once, the outcome of a confirmed hold, in one atomic operation on the auction. The bid
 * leads if the auction is still open and the amount still reaches the minimum; otherwise the hold
 * is released.
 */
export async function judgeBid(
  deps: PaymentDeps,
  hold: ConfirmedHold,
  cause: Cause,
): Promise<void> {
  const peeked = await deps.store.get<BidCheckout>(paymentKeys.checkout(hold.bidId));
  const { operations = [], leads } = await deps.store.transact(async (tx): Promise<Judgment> => {
    return await markSeen(tx, cause) ? await judge(tx, hold, deps.clock.now()) : {};
  }, { queue: `auction:${peeked.value?.auctionId}`, conflict: "busy" });
  await runOperations(deps, operations);
  // Other links may be below the minimum now.
  if (leads) await expireUselessLinks(deps);
}

/** The outcome of a hold: the operations to run next, and whether its bid leads now. */
interface Judgment {
  operations?: string[];
  leads?: true;
}

async function judge(tx: Tx, hold: ConfirmedHold, now: number): Promise<Judgment> {
  const { bidId, intentId } = hold;
  const bid = await readBid(tx, bidId);
  if (bid === null) return {};
  if (bid.state !== "pending") {
    // A second hold for the same bid can only come from a lost Stripe response.
    if (bid.intentId === intentId) return {};
    return { operations: [await queueOperation(tx, releaseOf(hold))] };
  }
  const dates = storedAuctionDates(bid.auctionId);
  const [auctionEntry, listing] = await tx.getMany<unknown>([
    auctionKeys.one(bid.auctionId),
    listingKeys.one(bid.slug),
  ]);
  const auction = auctionEntry!.value as StoredAuction | null;
  const { captureBefore } = hold;
  const held = { ...bid, status: "completed", intentId, captureBefore, hold: "held" } as const;
  const status = statusOf(dates, auction, now);
  const isLive = (listing!.value as StoredListing | null)?.state === "live";
  // By Stripe's clock the auction is open, so ours is behind: reconciliation will check again.
  if (status === "upcoming" && hold.heldAt >= dates.opensAt && isLive) {
    throw new DomainError("busy");
  }
  const leads = status === "open" && bid.amountCents >= minimumOf(auction) && isLive;
  if (!leads) {
    writeCheckout<BidCheckout>(tx, { ...held, state: "lapsed" });
    return { operations: [await queueOperation(tx, releaseOf(hold))] };
  }
  return { operations: await accept(tx, held, auction, now), leads };
}

/**
 * Makes a bid the high bid: writes the history, extends the close, and releases the previous bid.
 */
async function accept(
  tx: Tx,
  bid: BidCheckout & { intentId: string },
  auction: StoredAuction | null,
  now: number,
): Promise<string[]> {
  writeCheckout<BidCheckout>(tx, { ...bid, state: "high" });
  const dates = storedAuctionDates(bid.auctionId);
  const { slug, name, amountCents, totalCents, intentId } = bid;
  const before = closeOf(dates, auction);
  const closesAt = closeAfterBid(dates, before, now);
  const last = auction?.lastHash ? { number: auction.bids, hash: auction.lastHash } : null;
  const entry = nextEntry(dates.id, last, {
    amountCents,
    slug,
    name,
    at: now,
    extended: closesAt > before,
  });
  const stored: StoredEntry = { ...entry, bidId: bid.id };
  tx.set(auctionKeys.entry(dates.id, entry.number), stored);
  const next: StoredAuction = {
    ...newAuction(dates),
    closesAt,
    high: { bidId: bid.id, intentId, slug, name, amountCents, totalCents, at: now },
    bids: entry.number,
    lastHash: entry.hash,
  };
  tx.set(auctionKeys.one(dates.id), next);
  if (!auction?.high) return [];
  const outbid = await readBid(tx, auction.high.bidId);
  if (outbid !== null) writeCheckout<BidCheckout>(tx, { ...outbid, state: "outbid" });
  if (auction.high.slug !== slug) await tellBidder(tx, auction.high, "outbid", dates.id);
  return [await queueOperation(tx, releaseOf(auction.high))];
}
