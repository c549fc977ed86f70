import ipaddr from "ipaddr.js";

/** Where the internet's own addresses of IPv6 begin. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** Public by its number, but a service of a cloud for its own machines. */
const CLOUD_OWN = new Set(["168.63.129.16"]);

/**
 * Whether an IP address belongs to the public internet: no private, loopback, link-local, metadata
 * or reserved one, nor an IPv6 address that means such a one of IPv4.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || CLOUD_OWN.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
