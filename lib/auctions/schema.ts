import { z } from "zod";
import { DomainError, type FieldProblem } from "../errors.ts";
import { Slug } from "../fields.ts";
import { problemsOf, readBody } from "../http/input.ts";
import { LIMITS } from "../limits.ts";
import { PublicListing } from "../listings/schema.ts";
import { MAX_AMOUNT_CENTS } from "../payments/fees.ts";
import type { Checkout } from "../payments/schema.ts";
import type { HistoryEntry } from "./history.ts";

/** A bid, from the link to its end. */
export interface BidCheckout extends Checkout {
  kind: "bid";
  auctionId: string;
  /** The listing's name when the bid was made. */
  name: string;
  agentName: string | null;
  /**
   * `pending`: no hold is confirmed. `high`: it leads. `outbid`: it led once. `lapsed`: it was too
   * late or too low, or lost its listing or hold. `won`: its hold was captured. `capture-failed`:
   * it led at the close, but the capture failed. `withdrawn`: it led until its owner withdrew it.
   */
  state: "pending" | "high" | "outbid" | "lapsed" | "won" | "capture-failed" | "withdrawn";
  /** The card hold: Stripe's payment intent and its capture deadline. */
  intentId: string | null;
  captureBefore: number | null;
  hold: "none" | "held" | "released" | "captured";
}

/** The leading bid of an auction. */
export type HighBid = Pick<BidCheckout, "slug" | "name" | "amountCents" | "totalCents"> & {
  bidId: string;
  intentId: string;
  /** When it was accepted, in ms. */
  at: number;
};

/** A history entry in KV. The bid's id is private: it leads to the hold and the agent. */
export interface StoredEntry extends HistoryEntry {
  bidId: string;
}

/** How an auction ended. */
export type AuctionOutcome = NonNullable<PublicAuction["outcome"]>;

/** An auction in KV. Its dates follow from its id; times are ms since the epoch. */
export interface StoredAuction {
  id: string;
  /** The close, extended or not. */
  closesAt: number;
  high: HighBid | null;
  /** The number of accepted bids, and the hash of the last history entry. */
  bids: number;
  lastHash: string | null;
  /** Set by the close: no bid is accepted after that. */
  closedAt: number | null;
  outcome: AuctionOutcome | null;
}

/** The message for an amount that is not a whole number of cents. */
export const NOT_CENTS = "Must be a whole number of cents";

/** The body of a bid. The minimum amount depends on the auction and has its own error codes. */
export const BidInput = z.object({
  slug: Slug.describe("Slug of a live project"),
  amountCents: z.custom<number>(Number.isInteger, {
    error: ({ input }) => input === undefined ? "Required" : NOT_CENTS,
  }).meta({
    override: { type: "integer", minimum: 1, maximum: MAX_AMOUNT_CENTS },
    description: "Whole cents, at least minNextBidCents",
  }),
}).meta({ id: "BidInput" });

/**
 * Parses a bid by `BidInput`, or a schema that extends it, like `parseInput`. Throws
 * `invalid_amount` instead if the only problem, apart from fields that the schema ignores, is an
 * amount that is not a whole number of cents.
 */
export function parseBid<S extends z.ZodObject>(
  schema: S,
  body: unknown,
  others: FieldProblem[] = [],
): z.output<S> {
  const parsed = readBody(schema, body);
  const problems = [...others, ...problemsOf(parsed, schema)];
  if (parsed.success && problems.length === 0) return parsed.data;
  const ofKnown = problemsOf(schema.safeParse(body, { reportInput: true }));
  const isAmount = [...others, ...ofKnown].every(({ message }) => message === NOT_CENTS);
  throw new DomainError(isAmount ? "invalid_amount" : "invalid_input", problems);
}

const cents = z.int().min(0);
const isoDate = z.iso.datetime();

/** A listing with its current name; null if it is not (or no longer) public. */
const ListingName = z.object({ slug: z.string(), name: z.string() }).nullable();

/** An auction as shown in lists. */
export const PublicAuction = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(["upcoming", "open", "past"]),
  outcome: z.enum(["won", "no-bids", "capture-failed"]).nullable(),
  opensAt: isoDate,
  closesAt: isoDate.describe("A late bid extends it"),
  extended: z.boolean(),
  startsAt: isoDate.describe("Start of the sponsored week"),
  endsAt: isoDate,
  highBidCents: cents.nullable(),
  highBid: z.string().nullable(),
  highBidder: ListingName,
  minNextBidCents: cents,
  minNextBid: z.string(),
  minNextFeeCents: cents.nullable().describe("Fee on the minimum next bid"),
  minNextFee: z.string().nullable(),
  minNextTotalCents: cents.nullable().describe(
    "What the card is authorized for: the minimum next bid plus its fee",
  ),
  minNextTotal: z.string().nullable(),
  bidCount: z.int().min(0),
  winner: ListingName,
  page: z.url(),
  apiUrl: z.url(),
  bidUrl: z.url(),
}).meta({ id: "Auction", description: "An auction of the Front Row for one week" });
export type PublicAuction = z.output<typeof PublicAuction>;

/** One accepted bid, as shown in the public history. */
export const PublicBid = z.object({
  number: z.int().min(1),
  amountCents: cents,
  amount: z.string(),
  slug: z.string().nullable().describe("Null if the listing is not public"),
  name: z.string().nullable(),
  at: isoDate,
  extended: z.boolean().describe("True if it extended the bidding"),
  status: z.enum(["high", "outbid", "won", "withdrawn"]),
  listingDigest: z.string().describe("SHA-256 of the JSON array [slug, name]"),
  previousHash: z.string(),
  hash: z.string().describe(
    "SHA-256 of the JSON array [auction id, number, amountCents, listingDigest, at, extended, previousHash]",
  ),
}).meta({ id: "AuctionBid" });
export type PublicBid = z.output<typeof PublicBid>;

const NextOpening = z.object({ id: z.string(), opensAt: isoDate })
  .describe("When bidding opens next");

/** A week with a winner. It may still be running, or about to start. */
export const PastWinner = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  amountCents: cents,
  amount: z.string(),
  startsAt: isoDate,
  endsAt: isoDate,
  page: z.url(),
}).meta({ id: "AuctionWinner" });
export type PastWinner = z.output<typeof PastWinner>;

/** `GET /api/v1/auctions`. */
export const AuctionsBody = z.object({
  ok: z.literal(true),
  frontRow: PublicListing.nullable().describe("The listing in the Front Row now"),
  paymentsOpen: z.boolean(),
  open: z.array(PublicAuction),
  closing: z.array(PublicAuction).describe("Closed, but its week has not started"),
  upcoming: z.array(PublicAuction),
  nextOpening: NextOpening,
  pastWinners: z.array(PastWinner).max(LIMITS.winnersShown).describe("Latest first"),
  rules: z.array(z.string()),
  feeNotice: z.string(),
}).meta({ id: "Auctions" });
export type AuctionsBody = Omit<z.output<typeof AuctionsBody>, "ok">;

/** `GET /api/v1/auctions/{id}`. */
export const AuctionBody = z.object({
  ok: z.literal(true),
  auction: PublicAuction.extend({
    genesisHash: z.string().describe("previousHash of the first bid"),
    bids: z.array(PublicBid).describe("Accepted bids, latest first"),
  }),
  nextOpening: NextOpening,
}).meta({ id: "AuctionBody" });
export type AuctionBody = Omit<z.output<typeof AuctionBody>, "ok">;
