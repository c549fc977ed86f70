import { createHmac } from "node:crypto";
import { networkOf, subnetOf, widerNetworkOf } from "./address.ts";

/** Creates callers' pseudonyms. */
export type Identity = ReturnType<typeof createIdentity>;

/**
 * Creates a site's identities from its secret salt: 128 bits in base64url. Each purpose has its own
 * HMAC-SHA-256 domain, so hashes for different purposes cannot be linked. Raw addresses go no
 * further than here.
 */
export function createIdentity(salt: string) {
  const hmac = (text: string) => createHmac("sha256", salt).update(text).digest("base64url");
  const digest = (text: string) => hmac(text).slice(0, 22);
  const ofNetwork = (network: string | null) =>
    network === null ? null : digest(`network\n${network}`);
  return {
    /** The caller's network, for rate limits and per-network caps. */
    network: (address: string) => digest(`network\n${networkOf(address)}`),
    /**
     * The /48 around an IPv6 address, for caps on holders of many networks; null for other
     * addresses.
     */
    widerNetwork: (address: string) => ofNetwork(widerNetworkOf(address)),
    /** The /24 around an IPv4 address, to find voting rings; null for other addresses. */
    subnet: (address: string) => ofNetwork(subnetOf(address)),
    /** A voter: the network's pseudonym and the user agent. */
    voter: (network: string, userAgent: string) => digest(`voter\n${network}\n${userAgent}`),
    /** A self-named AI agent: the network's pseudonym and the key of the name. */
    agent: (network: string, nameKey: string) => digest(`agent\n${network}\n${nameKey}`),
    /**
     * The form of a pseudonym that is kept for good with the caller's actions on a UTC day. It
     * cannot be linked to other days or to votes.
     */
    ofDay: (day: string, pseudonym: string) => digest(`day\n${day}\n${pseudonym}`),
    /** A 256-bit secret that only this site can derive, by purpose and subject. */
    secret: (purpose: string) => hmac(`secret\n${purpose}`),
  };
}
