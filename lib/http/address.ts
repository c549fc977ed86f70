import ipaddr from "ipaddr.js";
import type { Log } from "../log.ts";

/** An address with a port or in brackets, as some proxies write it. */
const PORT = /^(?:([\d.]+):\d+|\[(.*)\](?::\d+)?)$/;

/**
 * The client's address, on which identity and limits are based. By default it is the socket's peer.
 * With `trustedProxies` = n > 0 it is the nth address from the right in all `X-Forwarded-For`
 * headers joined: each proxy appends its peer, so only the last n entries cannot be forged. If that
 * entry is missing or not an address, the peer is used. A port is dropped.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  trustedProxies: number,
): string {
  if (trustedProxies === 0 || forwardedFor === null) return peer;
  const hops = forwardedFor.split(",").map((hop) => hop.trim());
  const claimed = hops[hops.length - trustedProxies];
  const address = claimed?.replace(PORT, "$1$2");
  return address !== undefined && parse(stripZone(address)) !== null ? address : peer;
}

/** The address of the other end of a connection. */
export function peerOf(info: Deno.ServeHandlerInfo | undefined): string {
  const address = info?.remoteAddr;
  return address !== undefined && "hostname" in address ? address.hostname : "0.0.0.0";
}

/** Address ranges that no client on the internet has. */
const PRIVATE = new Set(["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"]);

/** Whether a proxy says that it passed this request on. Clients can claim that too. */
export function isForwarded(headers: Headers): boolean {
  return headers.has("x-forwarded-for") || headers.has("forwarded");
}

/**
 * Logs how a request's client address was found, and warns if it looks wrong. The log never contains
 * addresses.
 */
export function logAddressSource(
  log: Log,
  peer: string,
  headers: Headers,
  trustedProxies: number,
): void {
  const forwardedFor = headers.get("x-forwarded-for");
  const forwarded = isForwarded(headers);
  const isPrivate = PRIVATE.has(parse(stripZone(peer))?.range() ?? "");
  const isPeer = clientAddress("", forwardedFor, trustedProxies) === "";
  log.info("client_address", {
    source: isPeer ? "socket peer" : "X-Forwarded-For",
    peer: isPrivate ? "private" : "public",
    forwarded,
    trustedProxies,
  });
  if (isPeer && forwarded && isPrivate) {
    const warning =
      "A request came from a private address with a forwarding header. If there is a proxy in " +
      "front, set TRUSTED_PROXIES to the number of proxies. Until then, all visitors count as one";
    log.warn("setting", { warning });
  }
}

/**
 * The network of an address: IPv4 unchanged, IPv6 cut to its /64 (the least that one subscriber
 * gets), IPv4-mapped as IPv4. Any text that is not an address is its own network.
 */
export function networkOf(address: string): string {
  const plain = stripZone(address);
  const parsed = parse(plain);
  if (parsed === null) return plain;
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 64) : parsed.toString();
}

/** The /48 of an IPv6 address, which many sites and hosts get whole; null for other addresses. */
export function widerNetworkOf(address: string): string | null {
  const parsed = parse(stripZone(address));
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 48) : null;
}

/** The /24 around an IPv4 address, which is often rented whole; null for other addresses. */
export function subnetOf(address: string): string | null {
  const parsed = parse(stripZone(address));
  return parsed instanceof ipaddr.IPv4 ? `${parsed.octets.slice(0, 3).join(".")}.0/24` : null;
}

/** Parses an address; IPv4-mapped becomes IPv4. Returns null for any other text. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function prefixOf(address: ipaddr.IPv6, bits: 48 | 64): string {
  const parts = address.parts.slice(0, bits / 16);
  return `${parts.map((part) => part.toString(16)).join(":")}::/${bits}`;
}

function stripZone(address: string): string {
  const percent = address.indexOf("%");
  return percent < 0 ? address : address.slice(0, percent);
}
