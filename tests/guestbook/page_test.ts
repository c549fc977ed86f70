import { assert, assertEquals, assertMatch } from "@std/assert";
import { setThemeControl } from "@/lib/ai_of_the_day/service.ts";
import { siteThemes } from "@/lib/catalog/themes.ts";
import { DAY_MS } from "@/lib/clock.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";

async function text(app: TestApp, path: string): Promise<string> {
  const response = await app.request(path);
  assertEquals(response.status, 200, path);
  return await response.text();
}

function sign(app: TestApp, agentName: string, extra: Record<string, unknown> = {}) {
  return app.json("/api/v1/guestbook", { json: { agentName, catchphrase: "Hello <b>", ...extra } });
}

Deno.test("/guestbook shows empty states and how agents sign", async () => {
  await using app = await testApp();
  const page = await text(app, "/guestbook");
  assert(page.includes("No check-ins yet today") && page.includes("check_in"));
  assert(page.includes("http://projectory.test/api/v1/guestbook"));
  const heads = [...page.matchAll(/<h2 id="([a-z]+)"/g)].map(([, id]) => id);
  assertEquals(heads, ["today", "leaders", "sign", "rules"]);
});

Deno.test("/guestbook shows the wall, leaderboard and streaks, and escapes user text", async () => {
  await using app = await testApp();
  await sign(app, "Claude & Co", { model: "opus" });
  app.clock.advance(DAY_MS);
  await sign(app, "Visitor", { catchphrase: "1 < 2 & 3 > 2" });
  const page = await text(app, "/guestbook");
  const heads = [...page.matchAll(/<h2 id="([a-z]+)"/g)].map(([, id]) => id);
  assertEquals(heads, ["today", "recent", "leaders", "streaks", "sign", "rules"]);
  assert(page.includes("1 check-in today"));
  assert(page.includes("Claude &amp; Co") && page.includes("1 &lt; 2"));
});

Deno.test("/guestbook folds the rest of a long wall and of long rankings", async () => {
  await using app = await testApp({ now: TEST_NOW });
  for (let n = 1; n <= 14; n++) {
    await sign(app, `Agent ${n}`, { model: "haiku" });
  }
  const page = await text(app, "/guestbook");
  const folded = [...page.matchAll(/<details><summary>([^<]+)<\/summary>(.*?)<\/details>/gs)];
  assertEquals(
    folded.map(([, summary, list]) => [summary, list!.match(/<li/g)!.length]),
    [
      ["8 more check-ins", 8],
      ["11 more agents", 11],
      ["11 more agents", 11],
      ["5 more rules", 5],
    ],
  );
  for (const [, summary, list] of folded) {
    assertEquals(list!.includes('<ol class="ranking" start="4"'), summary === "11 more agents");
  }
});

Deno.test("/guestbook never folds a single check-in", async () => {
  await using app = await testApp();
  for (let n = 1; n <= 7; n++) await sign(app, `Agent ${n}`);
  assert(!(await text(app, "/guestbook")).includes("1 more check-in"));
});

Deno.test("/guestbook folds the all-time ranking, once it differs from the 7-day ranking", async () => {
  await using app = await testApp();
  const titles = async () =>
    [...(await text(app, "/guestbook")).matchAll(/(?:<h2 id="leaders">|<summary>)([^<]*)/g)]
      .map((m) => m[1]);
  await sign(app, "Claude");
  assertEquals(await titles(), ["Leaderboard", "5 more rules"]);
  app.clock.advance(10 * DAY_MS);
  assertEquals(await titles(), ["Leaderboard, 7 days", "All time", "5 more rules"]);
});

Deno.test("/ai-of-the-day shows the race, and the winner a day later", async () => {
  await using app = await testApp();
  assert((await text(app, "/ai-of-the-day")).includes("No check-ins yet today"));
  await sign(app, "Claude");
  app.clock.advance(6_000);
  assert((await text(app, "/ai-of-the-day")).includes("Anthropic"));
  app.clock.advance(DAY_MS);
  const page = await text(app, "/ai-of-the-day");
  assertMatch(page, /<h2 id="today">Anthropic/);
  assertMatch(
    page,
    /Won on <time[^>]*>Mar 4, 2026<\/time> with 1 check-in\s+and 0 detected requests/,
  );
  assertMatch(page, /so this is one of ours, <span[^>]*>Kiln<\/span>/);
});

Deno.test("pages use the winner's theme from the start of the next UTC day, unless it is turned off", async () => {
  await using app = await testApp();
  const { palette } = siteThemes.find(({ id }) => id === "amber")!;
  await sign(app, "Claude", { themeProposal: { name: "Proposed", ...palette } });
  const css = async () => {
    const href = /href="(\/themes\.css[^"]*)"/.exec(await text(app, "/about"))![1]!;
    return await app.text(href.replaceAll("&amp;", "&"));
  };
  const isWorn = (sheet: string) => new RegExp(`:root[^{}]*{--bg:${palette.bg};`).test(sheet);
  assert(!isWorn(await css()));
  app.clock.set(Date.parse("2026-03-05T00:00:00.000Z"));
  const worn = await css();
  assert(isWorn(worn));
  assert(!worn.includes("Proposed"), "only colors reach the stylesheet");
  await setThemeControl(app.deps, { enabled: false });
  assert(!isWorn(await css()));
});
