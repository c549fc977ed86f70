import { assertEquals, assertRejects } from "@std/assert";
import { storeKeys } from "@/lib/kv/keys.ts";
import { LateNews, REREAD_MS } from "@/lib/kv/late_news.ts";
import { createLogId } from "@/lib/kv/log_id.ts";
import { type Change, Store } from "@/lib/kv/store.ts";
import type { News, Tx } from "@/lib/kv/tx.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { until } from "../support/until.ts";

Deno.test("late news is logged again in order, up to 100 at a time, even after KV fails", async () => {
  const clock = fixedClock(REREAD_MS + 1);
  const tries: string[][] = [];
  const late = new LateNews(clock, (body) => {
    const slugs: string[] = [];
    body({ change: ({ slug }: { slug: string }) => slugs.push(slug) } as unknown as Tx);
    tries.push(slugs);
    return tries.length === 2 ? Promise.reject(new Error("KV is down")) : Promise.resolve();
  });
  const slugs = Array.from({ length: 250 }, (_, i) => `slug-${i}`);
  for (const slug of slugs) {
    const change: News = {
      type: "change",
      change: { id: createLogId(0), kind: "listing", slug, event: "updated", at: 0 },
    };
    late.note([change]);
  }
  const logged = () => tries.filter((_, i) => i !== 1).flat();
  await until("all are logged", () => logged().length >= slugs.length);
  assertEquals(logged(), slugs);
  assertEquals(tries.map((some) => some.length), [1, 100, 100, 100, 49]);
});

Deno.test("a held or released vote is late by when it was written, not by when it was cast", () => {
  const clock = fixedClock(REREAD_MS * 10);
  let logged = 0;
  const late = new LateNews(clock, () => Promise.resolve(void logged++));
  const pulse = (at: number) => ({
    type: "pulse" as const,
    pulse: { id: createLogId(at), kind: "vote" as const, slug: "a", delta: -1, at: 0 },
  });
  late.note([pulse(REREAD_MS * 9)]);
  assertEquals(logged, 0);
  late.note([pulse(REREAD_MS * 9 - 1)]);
  assertEquals(logged, 1);
});

Deno.test("a write that lands after this process stopped waiting is logged again", async () => {
  const kv = await Deno.openKv(":memory:");
  const landing = Promise.withResolvers<void>();
  const held = kvWith(kv, { commit: (land) => landing.promise.then(land) });
  const clock = fixedClock(0);
  const store = new Store(held, clock, { deadlineMs: 50, settleMs: 5 });
  const write = store.transact((tx) => tx.change({ kind: "listing", slug: "a", event: "hidden" }));
  await assertRejects(() => write, Error, "may or may not");
  clock.advance(REREAD_MS + 1);
  landing.resolve();
  const logged = async () => {
    const entries = await Array.fromAsync(kv.list<Change>({ prefix: storeKeys.changes }));
    return entries.flatMap(({ value }) => value.slug === "a" ? [value.at] : []);
  };
  await until("it is logged again", async () => (await logged()).length === 2);
  assertEquals(await logged(), [0, REREAD_MS + 1]);
  store.close();
});
