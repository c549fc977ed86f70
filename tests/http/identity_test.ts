import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createHmac } from "node:crypto";
import { createIdentity, hmacSha256 } from "@/lib/http/identity.ts";
import { character } from "../support/unicode.ts";

Deno.test("hmacSha256 equals HMAC-SHA-256 for keys and texts of any length", () => {
  const text = fc.string({ unit: character, maxLength: 800, size: "max" });
  fc.assert(fc.property(text, text, (key, message) => {
    const expected = createHmac("sha256", key).update(message).digest("base64url");
    assertEquals(hmacSha256(key)(message), expected);
  }));
});

Deno.test("identities stay stable, because stored votes and limits depend on them", () => {
  const identity = createIdentity("a secret of at least thirty-two bytes");
  const network = identity.network("2001:db8:1:2:3:4:5:6");
  const expected = (text: string) =>
    createHmac("sha256", "a secret of at least thirty-two bytes").update(text)
      .digest("base64url").slice(0, 22);
  assertEquals(network, expected("network\n2001:db8:1:2::/64"));
  assertEquals(identity.voter(network, "curl/8"), expected(`voter\n${network}\ncurl/8`));
  assertEquals(identity.agent(network, "claude"), expected(`agent\n${network}\nclaude`));
  assertEquals(identity.ofDay("2026-03-04", "x"), expected("day\n2026-03-04\nx"));
});
