import ipaddr from "ipaddr.js";
import type { Log } from "../log.ts";

/** An address with its port or in brackets, as some proxies write it. */
const PORT = /^(?:([\d.]+):\d+|\[(.*)\](?::\d+)?)$/;

/**
 * The client's address, on which identity and limits rest. It is the socket's peer. With
 * `trustedProxies` = n > 0 it is the n-th address from the right of all `X-Forwarded-For` headers
 * joined: each proxy appends the peer that it saw, so only the last n entries cannot be made up. If
 * that entry is missing or no address, it is the peer. A port behind it is no part of it.
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

/** Ranges of addresses that no client on the internet has. */
const PRIVATE = new Set(["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"]);

/**
 * Logs, for the first request, where the client's address comes from, and warns if it looks wrong.
 * The log never gets the addresses themselves.
 */
export function logAddressSource(
  log: Log,
  peer: string,
  headers: Headers,
  trustedProxies: number,
): void {
  const forwardedFor = headers.get("x-forwarded-for");
  const isForwarded = forwardedFor !== null || headers.get("forwarded") !== null;
  const isPrivate = PRIVATE.has(parse(stripZone(peer))?.range() ?? "");
  const isPeer = clientAddress("", forwardedFor, trustedProxies) === "";
  log.info("client_address", {
    source: isPeer ? "socket peer" : "X-Forwarded-For",
    peer: isPrivate ? "private" : "public",
    forwarded: isForwarded,
    trustedProxies,
  });
  if (isPeer && isForwarded && isPrivate) {
    const warning =
      "The first request came from a private address with a forwarding header. If there is a " +
      "proxy in front, set TRUSTED_PROXIES to the number of proxies. Until then, all visitors count as one";
    log.warn("setting", { warning });
  }
}

/**
 * The network of an address: an IPv4 address as it is, an IPv6 address cut to its /64 (what one
 * subscriber has at least), an IPv4-mapped one as IPv4. Anything that is no address is its own
 * network.
 */
export function networkOf(address: string): string {
  const plain = stripZone(address);
  const parsed = parse(plain);
  if (parsed === null) return plain;
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 64) : parsed.toString();
}

/** The /48 of an IPv6 address, which many sites and hosts get whole; null for any other. */
export function widerNetworkOf(address: string): string | null {
  const parsed = parse(stripZone(address));
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 48) : null;
}

/** The /24 around an IPv4 address, which is often rented whole; null for any other. */
export function subnetOf(address: string): string | null {
  const parsed = parse(stripZone(address));
  return parsed instanceof ipaddr.IPv4 ? `${parsed.octets.slice(0, 3).join(".")}.0/24` : null;
}

/**
 * The last text that was parsed: a request asks for its address several times, and parsing is slow.
 */
let last: { text: string; address: ipaddr.IPv4 | ipaddr.IPv6 | null } = { text: "", address: null };

/** Parses an address, an IPv4-mapped one as IPv4. Returns null for any other text. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (text === last.text) return last.address;
  try {
    // `ipaddr.parse` would read the address twice, to find out its kind first.
    const kind = text.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
    last = { text, address: unmapped(kind.parse(text)) };
  } catch {
    last = { text, address: null };
  }
  return last.address;
}

/**
 * Turns `::ffff:192.0.2.1` into IPv4. `ipaddr.process` does the same, but also compares each
 * address with all special ranges.
 */
function unmapped(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const isMapped = address instanceof ipaddr.IPv6 && address.parts[5] === 0xffff &&
    address.parts.slice(0, 5).every((part) => part === 0);
  return isMapped ? address.toIPv4Address() : address;
}

function prefixOf(address: ipaddr.IPv6, bits: 48 | 64): string {
  const parts = address.parts.slice(0, bits / 16);
  return `${parts.map((part) => part.toString(16)).join(":")}::/${bits}`;
}

function stripZone(address: string): string {
  const percent = address.indexOf("%");
  return percent < 0 ? address : address.slice(0, percent);
}
