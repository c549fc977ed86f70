import { createHmac } from "node:crypto";
import { networkOf } from "./address.ts";

/**
 * Makes the pseudonyms that stand for callers. Each purpose has its own HMAC-SHA-256 domain, so that hashes
 * of one purpose tell nothing in another; 128 bits in base64url. Raw addresses go in and never further.
 */
export interface Identity {
  /** The caller's network: rate limits and per-network caps. */
  network(address: string): string;
  /** The voter: that network and the user agent. */
  voter(network: string, userAgent: string): string;
  /** An AI agent that names itself: that network and the key of the name. */
  agent(network: string, nameKey: string): string;
}

/** Makes the identities of a site from its secret salt. */
export function createIdentity(salt: string): Identity {
  const digest = (text: string) =>
    createHmac("sha256", salt).update(text).digest("base64url").slice(0, 22);
  return {
    network: (address) => digest(`network\n${networkOf(address)}`),
    voter: (network, userAgent) => digest(`voter\n${network}\n${userAgent}`),
    agent: (network, nameKey) => digest(`agent\n${network}\n${nameKey}`),
  };
}
