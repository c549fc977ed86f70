import { assertEquals } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { BLOCK_DAYS_MAX, blockNetwork, daysNetwork } from "@/lib/http/blocks.ts";
import { Caller } from "@/lib/http/caller.ts";
import { paths } from "@/lib/urls.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { listingBody } from "../support/listings.ts";

/** Blocks an address's network, as the operator knows it today, for some days. */
async function block({ deps, clock }: TestApp, peer: string, days: number): Promise<void> {
  const { identity, store } = deps;
  const caller = new Caller({ peer, headers: new Headers(), identity, trustedProxies: 0 });
  const pseudonym = daysNetwork(deps, { caller, now: clock.now() });
  await blockNetwork(store, { pseudonym, until: clock.now() + days * DAY_MS });
}

Deno.test("a blocked network can read through MCP, even with a trailing slash", async () => {
  await using app = await testApp();
  const address = "198.51.100.1";
  await block(app, address, 1);
  for (const path of [paths.mcp, `${paths.mcp}/`]) {
    const headers = { "accept": "application/json, text/event-stream" };
    const json = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    assertEquals((await app.request(path, { address, headers, json })).status, 200, path);
  }
  const { status } = await app.request("/mcp", { address, json: {}, redirect: "manual" });
  assertEquals(status, 308);
  app.clock.advance(2 * DAY_MS);
  const { windows } = (await app.json("/api/v1/stats")).body;
  assertEquals([windows.all.mcp.total, windows.all.pages.total], [2, 0]);
});

Deno.test("a block from a clock that was a year ahead is over once the clock is right", async () => {
  await using app = await testApp();
  const address = "198.51.100.1";
  const blocked = async (days: number) => {
    await block(app, address, days);
    app.clock.advance(1_000);
    return (await app.json("/api/v1/projects", { json: listingBody(), address })).status;
  };
  assertEquals(await blocked(BLOCK_DAYS_MAX), 429);
  assertEquals(await blocked(365 + BLOCK_DAYS_MAX), 201);
});
