import { assertEquals } from "@std/assert";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { BLOCK_DAYS_MAX } from "@/lib/http/blocks.ts";
import { REPEATABLE_MS } from "@/lib/http/idempotency.ts";
import { SETTLE_MS } from "@/lib/kv/commit.ts";
import { PATIENCE_MS } from "@/lib/kv/retry.ts";
import { lifetimeOf, LIFETIMES } from "@/lib/lifetimes.ts";
import { GEM_MAX_AGE_MS } from "@/lib/listings/placements.ts";
import { voteKeys } from "@/lib/votes/keys.ts";

const lib = new URL("../lib/", import.meta.url);

Deno.test("LIFETIMES lists exactly the keys that the keys.ts files say expire", async () => {
  const said = new Set<string>();
  for await (const domain of Deno.readDir(lib)) {
    if (!domain.isDirectory) continue;
    for (const file of ["keys.ts", "rate_limit.ts", "day_caps.ts", "blocks.ts"]) {
      const text = await Deno.readTextFile(new URL(`${domain.name}/${file}`, lib))
        .catch(() => "");
      for (const line of text.split("\n")) {
        const [, first, third] = /^ \* \| \["([^"]+)"(?:, \w+, "([^"]+)")?/.exec(line) ?? [];
        const expires = /expires|times \(ms\) of the last hour/.test(line);
        if (first === undefined || !expires) continue;
        const key = third === undefined ? first : `${first} ${third}`;
        for (const kind of ["listing", "skill"]) said.add(key.replace("<kind>", kind));
      }
    }
  }
  assertEquals([...said].sort(), Object.keys(LIFETIMES).sort());
});

Deno.test("a copied list of a day's voters expires again, and the votes don't", () => {
  assertEquals(lifetimeOf(voteKeys.voters("skill", "a", "2026-11-21", "network")), 25 * HOUR_MS);
  assertEquals(lifetimeOf(voteKeys.vote("skill", "a", "voter")), undefined);
  assertEquals(lifetimeOf(["listing_votes"]), undefined);
  assertEquals(lifetimeOf(["rate_limits", "votes", "~"]), HOUR_MS);
});

Deno.test("entries live at least as long as the rules that need them", () => {
  const needs: [name: keyof typeof LIFETIMES, ms: number][] = [
    ["blocked_networks", BLOCK_DAYS_MAX * DAY_MS],
    ["checkouts_by_idempotency_key", REPEATABLE_MS],
    ["submission_receipts", REPEATABLE_MS],
    ["dropped_gems", GEM_MAX_AGE_MS],
    ["markers", PATIENCE_MS + SETTLE_MS],
  ];
  assertEquals(needs.filter(([name, ms]) => LIFETIMES[name] < ms), []);
});
