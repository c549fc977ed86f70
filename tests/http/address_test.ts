import { assert, assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import {
  clientAddress,
  logAddressSource,
  networkOf,
  subnetOf,
  widerNetworkOf,
} from "@/lib/http/address.ts";
import { createIdentity } from "@/lib/http/identity.ts";

const header = fc.array(
  fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constantFrom("", " ", "unknown", "10.0.0.1:80")),
).map((hops) => hops.join(","));

Deno.test("clientAddress is the peer if no proxy is trusted, whatever X-Forwarded-For says", () => {
  fc.assert(fc.property(header, (forwarded) => {
    assertEquals(clientAddress("203.0.113.9", forwarded, 0), "203.0.113.9");
  }));
});

Deno.test("clientAddress uses only the entries of trusted proxies, whatever is to their left", () => {
  fc.assert(fc.property(header, fc.ipV4(), fc.ipV4(), (forged, client, proxy) => {
    assertEquals(clientAddress(proxy, `${forged},${client}`, 1), client);
    assertEquals(clientAddress("192.0.2.1", `${forged},${client}, ${proxy}`, 2), client);
  }));
});

Deno.test("clientAddress is the peer if the trusted entry is missing or not an address", () => {
  for (
    const entry of [
      "",
      "unknown",
      "10.0.0.1:",
      ":80",
      "2001:db8::1]:80",
      "203.0.113.9 203.0.113.9",
      "9".repeat(1_000),
    ]
  ) {
    assertEquals(clientAddress("192.0.2.1", `198.51.100.4,${entry}`, 1), "192.0.2.1", entry);
  }
  assertEquals(clientAddress("192.0.2.1", "198.51.100.4", 2), "192.0.2.1");
  assertEquals(clientAddress("192.0.2.1", null, 1), "192.0.2.1");
});

Deno.test("clientAddress strips the port that some proxies add", () => {
  assertEquals(clientAddress("192.0.2.1", "198.51.100.4:5678", 1), "198.51.100.4");
  assertEquals(clientAddress("192.0.2.1", "[2001:db8::1]:5678", 1), "2001:db8::1");
  assertEquals(clientAddress("192.0.2.1", "[2001:db8::1]", 1), "2001:db8::1");
  assertEquals(clientAddress("192.0.2.1", "2001:db8::5678", 1), "2001:db8::5678");
});

Deno.test("networkOf and widerNetworkOf cut IPv6 to /64 and /48, and leave IPv4 as is", () => {
  for (
    const [address, network, wider] of [
      ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
      ["2001:DB8:1:2::9%eth0", "2001:db8:1:2::/64", "2001:db8:1::/48"],
      ["fe80::9%eth0.100", "fe80:0:0:0::/64", "fe80:0:0::/48"],
      ["2001:db8::ffff:c633:6404", "2001:db8:0:0::/64", "2001:db8:0::/48"],
      ["::1", "0:0:0:0::/64", "0:0:0::/48"],
      ["198.51.100.4", "198.51.100.4", null],
      ["::ffff:198.51.100.4", "198.51.100.4", null],
      ["no address", "no address", null],
    ] as const
  ) {
    assertEquals([networkOf(address), widerNetworkOf(address)], [network, wider], address);
  }
});

Deno.test("subnetOf cuts IPv4 to its /24, including IPv4-mapped addresses", () => {
  const addresses = ["198.51.100.4", "::ffff:198.51.100.4", "2001:db8::1", "no address"];
  assertEquals(addresses.map(subnetOf), ["198.51.100.0/24", "198.51.100.0/24", null, null]);
});

Deno.test("createIdentity derives different pseudonyms for each salt and purpose", () => {
  const [one, other] = [createIdentity("a".repeat(32)), createIdentity("b".repeat(32))];
  const network = one.network("203.0.113.9");
  assertNotEquals(network, other.network("203.0.113.9"));
  assertNotEquals(one.voter(network, "curl"), one.agent(network, "curl"));
  assertNotEquals(one.network("2001:db8::1"), one.widerNetwork("2001:db8::1"));
  assertEquals(network.length, 22);
});

Deno.test("logAddressSource names the address source, warns about an uncounted proxy, and logs no address", () => {
  const logged = (peer: string, headers: Record<string, string>, trustedProxies: number) => {
    const lines: [event: string, fields: Record<string, unknown>][] = [];
    const write = (event: string, fields = {}) => void lines.push([event, fields]);
    const log = { debug: write, info: write, warn: write, error: write };
    logAddressSource(log, peer, new Headers(headers), trustedProxies);
    assert(!JSON.stringify(lines).includes("198.51.100"), JSON.stringify(lines));
    return [lines[0]![1].source, lines[0]![1].peer, lines.length - 1];
  };
  const forwarded = { "x-forwarded-for": "198.51.100.4" };
  assertEquals(logged("198.51.100.9", {}, 0), ["socket peer", "public", 0]);
  assertEquals(logged("198.51.100.9", forwarded, 0), ["socket peer", "public", 0]);
  assertEquals(logged("127.0.0.1", {}, 0), ["socket peer", "private", 0]);
  assertEquals(logged("::ffff:10.0.0.9", forwarded, 0), ["socket peer", "private", 1]);
  assertEquals(logged("fd00::9", { forwarded: "for=198.51.100.4" }, 0), [
    "socket peer",
    "private",
    1,
  ]);
  assertEquals(logged("10.0.0.9", forwarded, 1), ["X-Forwarded-For", "private", 0]);
  assertEquals(logged("10.0.0.9", forwarded, 2), ["socket peer", "private", 1]);
});
