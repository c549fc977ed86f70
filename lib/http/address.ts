import ipaddr from "ipaddr.js";

/**
 * The address that identity and limits rest on. It is the socket's peer; with `trustedProxies` = n > 0 it is
 * the n-th address from the right of all `X-Forwarded-For` headers joined (each trusted proxy appends the
 * peer that it saw, so only those n entries cannot be made up). Falls back to the peer when that entry is
 * missing or no address.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  trustedProxies: number,
): string {
  if (trustedProxies === 0 || forwardedFor === null) return peer;
  const hops = forwardedFor.split(",").map((hop) => hop.trim());
  const claimed = hops[hops.length - trustedProxies];
  return claimed !== undefined && ipaddr.isValid(stripZone(claimed)) ? claimed : peer;
}

/**
 * The network of an address: an IPv4 address as it is, an IPv6 address cut to its /64 (what one
 * subscriber has at least), an IPv4-mapped one as IPv4. Anything that is no address is its own network.
 */
export function networkOf(address: string): string {
  const plain = stripZone(address);
  if (!ipaddr.isValid(plain)) return plain;
  const parsed = ipaddr.process(plain);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return prefix.map((part) => part.toString(16)).join(":") + "::/64";
}

function stripZone(address: string): string {
  const percent = address.indexOf("%");
  return percent < 0 ? address : address.slice(0, percent);
}
