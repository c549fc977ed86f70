import { assertEquals } from "@std/assert";
import { HOUR_MS } from "@/lib/clock.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";

const SPAN = { startsAt: TEST_NOW - HOUR_MS, endsAt: TEST_NOW + 48 * HOUR_MS };
const BUMP = { tierId: "bump-3", name: "Bump", ...SPAN } as const;

/** The slugs that a part of the home page leads to, in its order. */
async function shownIn(app: TestApp, part: RegExp): Promise<string[]> {
  const html = await (await app.request("/")).text();
  const [shown = ""] = part.exec(html) ?? [];
  return [...shown.matchAll(/href="\/p\/([a-z0-9-]+)"/g)].map((match) => match[1]!);
}

const STRIP = /<ul class="plain strip">.*?<\/ul>/s;
const TICKER = /<ul class="plain ticker-line"[^>]*>.*?<\/ul>/s;

Deno.test("the home page shows higher tiers first, and each of more than 12 promoted projects in its turn", async () => {
  await using app = await testApp();
  const { catalogue } = app.deps;
  for (let n = 1; n <= 15; n++) {
    await submit(app, { name: `P ${n}`, tagline: "Does one thing" });
    catalogue.setPromotion(`p-${n}`, [BUMP]);
  }
  catalogue.setPromotion("p-7", [{ tierId: "spotlight-30", name: "Spotlight", ...SPAN }]);
  const seen = new Set<string>();
  for (let hour = 0; hour < 14; hour++) {
    const strip = await shownIn(app, STRIP);
    assertEquals([strip[0], strip.length], ["p-7", 12]);
    strip.forEach((slug) => seen.add(slug));
    app.clock.advance(HOUR_MS);
  }
  assertEquals(seen.size, 15);
});

Deno.test("the ticker of the home page names a promoted holder of the Front Row first, and once", async () => {
  await using app = await testApp();
  const { catalogue } = app.deps;
  for (const n of [1, 2]) {
    await submit(app, { name: `P ${n}`, tagline: "Does one thing" });
    catalogue.setPromotion(`p-${n}`, [BUMP]);
  }
  catalogue.setFrontRow([{ slug: "p-2", ...SPAN }]);
  assertEquals(await shownIn(app, TICKER), ["p-2", "p-1"]);
});
