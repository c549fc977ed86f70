import { assertEquals } from "@std/assert";
import { comingPeriods, PERIOD_MS } from "@/lib/auctions/calendar.ts";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import { newAuction } from "@/lib/auctions/settle.ts";
import { promotionKeys } from "@/lib/promotions/keys.ts";
import { addTime } from "@/lib/promotions/time.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";

Deno.test("a paid promotion and Front Row show even if KV failed when they were first read", async () => {
  const plain = await Deno.openKv(":memory:");
  let failures = 0;
  const kv = kvWith(plain, {
    list(selector, options) {
      const isRead = selector.prefix?.[0] === promotionKeys.all[0];
      if (isRead && failures-- > 0) throw new Error("KV is down");
      return plain.list(selector, options);
    },
  });
  await using app = await testApp({ kv });
  const { project: { slug } } = await submit(app);
  const [dates] = comingPeriods(TEST_NOW - PERIOD_MS, 1);
  const amounts = { amountCents: 1000, totalCents: 1061 };
  const high = { bidId: "bid_1", intentId: "pi_1", slug, name: "Won", ...amounts, at: 0 };
  await kv.set(auctionKeys.one(dates!.id), { ...newAuction(dates!), high, outcome: "won" });
  const purchase = { tierId: "boost-7", days: 7 } as const;
  await kv.set(promotionKeys.one(slug), addTime(null, purchase, TEST_NOW));
  failures = 2;
  const warned: string[] = [];
  app.deps.log.warn = (event) => warned.push(event);
  const { setTimeout } = globalThis;
  // Only the pauses between two tries are skipped, not the time limits of reads.
  globalThis.setTimeout =
    ((run: () => void, ms: number) => setTimeout(run, ms === 1_000 ? 0 : ms)) as typeof setTimeout;
  try {
    for (
      const change of [
        { kind: "listing", slug, event: "promoted" },
        { kind: "site", slug: "front-row", event: "won" },
      ] as const
    ) {
      app.deps.store.tell({
        type: "change",
        change: { id: "1", at: 0, ...change },
        foreign: true,
      });
    }
    await app.deps.placements.caughtUp();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  assertEquals(warned, ["placements_stale", "placements_stale"]);
  const { project } = (await app.json(`/api/v1/projects/${slug}`)).body;
  assertEquals([project.promotion?.tierId, project.sponsored], ["boost-7", true]);
});
