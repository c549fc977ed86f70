import ipaddr from "ipaddr.js";

/** The start of IPv6's global addresses. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** A public address that a cloud uses for a service to its own machines. */
const CLOUD_OWN = new Set(["168.63.129.16"]);

/**
 * True if an IP address is on the public internet: not private, loopback, link-local, metadata or
 * reserved, nor an IPv6 address that embeds such an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || CLOUD_OWN.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
