import { assertEquals } from "@std/assert";
import { createHmac } from "node:crypto";
import { createIdentity } from "@/lib/http/identity.ts";

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
