import { assertEquals } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { BLOCK_DAYS_MAX, blockNetwork, daysNetwork } from "@/lib/http/blocks.ts";
import { Caller } from "@/lib/http/caller.ts";
import { testApp } from "../support/app.ts";
import { listingBody } from "../support/listings.ts";

Deno.test("a block from a clock that was a year ahead is over once the clock is right", async () => {
  await using app = await testApp();
  const { identity, store } = app.deps;
  const peer = "198.51.100.1";
  const caller = new Caller({ peer, headers: new Headers(), identity, trustedProxies: 0 });
  const pseudonym = daysNetwork(app.deps, { caller, now: app.clock.now() });
  const block = async (days: number) => {
    await blockNetwork(store, { pseudonym, until: app.clock.now() + days * DAY_MS });
    app.clock.advance(1_000);
    return (await app.json("/api/v1/projects", { json: listingBody(), address: peer })).status;
  };
  assertEquals(await block(BLOCK_DAYS_MAX), 429);
  assertEquals(await block(365 + BLOCK_DAYS_MAX), 201);
});
