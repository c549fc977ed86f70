import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { networkOf, widerNetworkOf } from "./address.ts";

/**
 * Makes the pseudonyms that stand for callers. Each purpose has its own HMAC-SHA-256 domain, so that hashes
 * of one purpose tell nothing in another; 128 bits in base64url. Raw addresses go in and never further.
 */
export interface Identity {
  /** The caller's network: rate limits and per-network caps. */
  network(address: string): string;
  /** The /48 around an IPv6 network, null for any other: caps on whoever holds many networks. */
  widerNetwork(address: string): string | null;
  /** The voter: that network and the user agent. */
  voter(network: string, userAgent: string): string;
  /** An AI agent that names itself: that network and the key of the name. */
  agent(network: string, nameKey: string): string;
}

/** Makes the identities of a site from its secret salt. */
export function createIdentity(salt: string): Identity {
  const hmac = hmacSha256(salt);
  const digest = (text: string) => hmac(text).slice(0, 22);
  return {
    network: (address) => digest(`network\n${networkOf(address)}`),
    widerNetwork: (address) => {
      const wider = widerNetworkOf(address);
      return wider === null ? null : digest(`network\n${wider}`);
    },
    voter: (network, userAgent) => digest(`voter\n${network}\n${userAgent}`),
    agent: (network, nameKey) => digest(`agent\n${network}\n${nameKey}`),
  };
}

/** Bytes of SHA-256's block. */
const BLOCK = 64;

/**
 * HMAC-SHA-256 (RFC 2104) under one key, in base64url. The key is padded once and each hash made in one call:
 * a quarter of what `createHmac` takes, which makes an object for every text.
 */
export function hmacSha256(key: string): (text: string) => string {
  const bytes = Buffer.from(key);
  const padded = Buffer.alloc(BLOCK);
  padded.set(bytes.byteLength > BLOCK ? hash("sha256", bytes, "buffer") : bytes);
  const inner = padded.map((byte) => byte ^ 0x36);
  const outer = padded.map((byte) => byte ^ 0x5c);
  return (text) => {
    const digest = hash("sha256", Buffer.concat([inner, Buffer.from(text)]), "hex");
    return hash("sha256", Buffer.concat([outer, Buffer.from(digest, "hex")]), "base64url");
  };
}
