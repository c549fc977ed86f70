import { assertEquals } from "@std/assert";
import { LATE_MS, LateNotices } from "@/lib/kv/late_notices.ts";
import type { Notice, Tx } from "@/lib/kv/tx.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { until } from "../support/until.ts";

Deno.test("what landed late is logged again in order, at most 100 at once, also after KV failed", async () => {
  const clock = fixedClock(LATE_MS + 1);
  const tries: string[][] = [];
  const late = new LateNotices(clock, (body) => {
    const slugs: string[] = [];
    body({ change: ({ slug }: { slug: string }) => slugs.push(slug) } as unknown as Tx);
    tries.push(slugs);
    return tries.length === 2 ? Promise.reject(new Error("KV is away")) : Promise.resolve();
  });
  const slugs = Array.from({ length: 250 }, (_, i) => `slug-${i}`);
  for (const slug of slugs) {
    const change: Notice = {
      type: "change",
      change: { id: slug, kind: "listing", slug, event: "updated", at: 0 },
    };
    late.note([change]);
  }
  const logged = () => tries.filter((_, i) => i !== 1).flat();
  await until("all are logged", () => logged().length >= slugs.length);
  assertEquals(logged(), slugs);
  assertEquals(tries.map((some) => some.length), [1, 100, 100, 100, 49]);
});
