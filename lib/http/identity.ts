import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { Buffer } from "node:buffer";
import { networkOf, subnetOf, widerNetworkOf } from "./address.ts";

/**
 * Creates callers' pseudonyms, 128 bits in base64url. Each purpose has its own HMAC-SHA-256 domain,
 * so hashes for different purposes cannot be linked. Raw addresses go no further than here.
 */
export interface Identity {
  /** The caller's network, for rate limits and per-network caps. */
  network(address: string): string;
  /**
   * The /48 around an IPv6 address, for caps on holders of many networks; null for other addresses.
   */
  widerNetwork(address: string): string | null;
  /** The /24 around an IPv4 address, to find voting rings; null for other addresses. */
  subnet(address: string): string | null;
  /** A voter: the network's pseudonym and the user agent. */
  voter(network: string, userAgent: string): string;
  /** A self-named AI agent: the network's pseudonym and the key of the name. */
  agent(network: string, nameKey: string): string;
  /**
   * The form of a pseudonym that is kept for good with the caller's actions on a UTC day. It cannot
   * be linked to other days or to votes.
   */
  ofDay(day: string, pseudonym: string): string;
  /** A 256-bit secret that only this site can derive, by purpose and subject. */
  secret(purpose: string): string;
}

/** Creates a site's identities from its secret salt. */
export function createIdentity(salt: string): Identity {
  const hmac = hmacSha256(salt);
  const digest = (text: string) => hmac(text).slice(0, 22);
  const ofNetwork = (network: string | null) =>
    network === null ? null : digest(`network\n${network}`);
  return {
    network: (address) => digest(`network\n${networkOf(address)}`),
    widerNetwork: (address) => ofNetwork(widerNetworkOf(address)),
    subnet: (address) => ofNetwork(subnetOf(address)),
    voter: (network, userAgent) => digest(`voter\n${network}\n${userAgent}`),
    agent: (network, nameKey) => digest(`agent\n${network}\n${nameKey}`),
    ofDay: (day, pseudonym) => digest(`day\n${day}\n${pseudonym}`),
    secret: (purpose) => hmac(`secret\n${purpose}`),
  };
}

const encoder = new TextEncoder();
/** The buffer for encoding texts. Only longer texts get their own array. */
const scratch = new Uint8Array(1024);

/**
 * HMAC-SHA-256 (RFC 2104) under one key, in base64url. The key is hashed once, and every text
 * continues from that state in the same two arrays. This takes a quarter of the time of two
 * `node:crypto` calls.
 */
export function hmacSha256(key: string): (text: string) => string {
  const keyed = hmac.create(sha256, encoder.encode(key));
  const running = keyed.clone();
  const digest = Buffer.alloc(keyed.outputLen);
  return (text) => {
    keyed._cloneInto(running);
    running.update(bytesOf(text)).digestInto(digest);
    return digest.toString("base64url");
  };
}

/** A text as UTF-8, valid until the next call. A UTF-16 unit takes up to three bytes. */
function bytesOf(text: string): Uint8Array {
  if (text.length * 3 > scratch.length) return encoder.encode(text);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}
