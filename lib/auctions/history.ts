/**
 * An auction's public bid history: append-only. Each entry carries the previous entry's hash, so
 * nobody, including the operator, can change or drop an accepted bid unnoticed.
 */
import { isoTime } from "../clock.ts";
import { sha256 } from "../text/digest.ts";

/** One accepted bid as stored; its status follows from its position and the auction's outcome. */
export interface HistoryEntry {
  /** 1 for the first accepted bid. */
  number: number;
  amountCents: number;
  slug: string;
  name: string;
  /** When the hold was confirmed and the bid accepted, in ms. */
  at: number;
  /** Whether this bid extended the close. */
  extended: boolean;
  /**
   * SHA-256 of slug and name. The chain covers this digest instead of the two, so it can still be
   * checked after a listing is hidden and its slug and name are withheld.
   */
  listingDigest: string;
  previousHash: string;
  hash: string;
  /** The owner withdrew the listing while it led. The chain does not cover this. */
  withdrawn?: true;
}

/** A bid before it joins the chain. */
type AcceptedBid = Pick<HistoryEntry, "amountCents" | "slug" | "name" | "at" | "extended">;

/** The part of an entry that readers need to check the chain. */
type ChainLink = Omit<HistoryEntry, "slug" | "name">;

function digest(parts: unknown[]): string {
  return sha256(JSON.stringify(parts), "hex");
}

/** The hash that an auction's first entry uses as its predecessor's. */
export function genesisHash(auctionId: string): string {
  return digest([auctionId]);
}

/** SHA-256, in hex, of the JSON array `[slug, name]`. */
export function listingDigest(slug: string, name: string): string {
  return digest([slug, name]);
}

/**
 * SHA-256, in hex, of the JSON array `[auction id, number, amount in cents, listing digest, time
 * as ISO 8601, extended, previous hash]`.
 */
function entryHash(auctionId: string, link: Omit<ChainLink, "hash">): string {
  return digest([
    auctionId,
    link.number,
    link.amountCents,
    link.listingDigest,
    isoTime(link.at),
    link.extended,
    link.previousHash,
  ]);
}

/** The entry that follows `last` (null for the first bid of the auction). */
export function nextEntry(
  auctionId: string,
  last: Pick<HistoryEntry, "number" | "hash"> | null,
  bid: AcceptedBid,
): HistoryEntry {
  const link = {
    number: (last?.number ?? 0) + 1,
    amountCents: bid.amountCents,
    listingDigest: listingDigest(bid.slug, bid.name),
    at: bid.at,
    extended: bid.extended,
    previousHash: last?.hash ?? genesisHash(auctionId),
  };
  return { ...link, slug: bid.slug, name: bid.name, hash: entryHash(auctionId, link) };
}

/** The number of the first entry that breaks the chain, or null if the chain is valid. */
export function firstBrokenEntry(auctionId: string, entries: readonly ChainLink[]): number | null {
  let previousHash = genesisHash(auctionId);
  let number = 0;
  for (const entry of entries) {
    number++;
    if (
      entry.number !== number || entry.previousHash !== previousHash ||
      entry.hash !== entryHash(auctionId, entry)
    ) return number;
    previousHash = entry.hash;
  }
  return null;
}
