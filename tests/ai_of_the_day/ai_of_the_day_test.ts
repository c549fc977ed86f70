import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  closeDay,
  closeMissedDays,
  getAiOfTheDay,
  getDailyTheme,
  setThemeControl,
} from "@/lib/ai_of_the_day/service.ts";
import { jobs } from "@/lib/app/crons.ts";
import { familyThemes } from "@/lib/catalog/family_themes.ts";
import { siteThemes } from "@/lib/catalog/themes.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { setCheckInHidden } from "@/lib/guestbook/check_ins.ts";
import { guestbookKeys } from "@/lib/guestbook/keys.ts";
import { paletteProblems } from "@/lib/themes/palette.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { inFolder } from "../support/folder.ts";
import { kvListing, kvWith } from "../support/kv_with.ts";

const MIDNIGHT = Date.parse("2026-03-05T00:00:00.000Z");
const proposal = (name: string) => ({ name, ...siteThemes[5]!.palette });

async function sign(app: TestApp, agentName: string, extra: Record<string, unknown> = {}) {
  const { status } = await app.json("/api/v1/guestbook", {
    json: { agentName, catchphrase: "Hello", ...extra },
  });
  assert(status < 300, String(status));
}

/** Counts requests from known AI user agents on the app's current day. */
function visit(app: TestApp, hits: [name: string, requests: number][]): void {
  for (const [aiVisitor, requests] of hits) {
    const traffic = { surface: "pages", visitorClass: "ai_agent", aiVisitor } as const;
    for (let i = 0; i < requests; i++) app.deps.traffic.count(traffic);
  }
}

const today = async (app: TestApp) => (await app.json("/api/v1/ai-of-the-day")).body.today;

Deno.test("GET /ai-of-the-day has every field of the contract before any check-in", async () => {
  await using app = await testApp();
  const { status, body } = await app.json("/api/v1/ai-of-the-day");
  assertEquals(status, 200);
  assertEquals(Object.keys(body).sort(), ["generatedAt", "ok", "race", "rules", "today"]);
  assertEquals(body.today, {
    day: "2026-03-04",
    basedOn: "2026-03-03",
    enabled: true,
    override: null,
    winner: null,
    theme: null,
    themeSource: null,
    proposedBy: null,
  });
  assertEquals([body.race.day, body.race.standings], ["2026-03-04", []]);
  assertMatch(body.race.note, /at the end of 2026-03-04 \(UTC\) .* theme for 2026-03-05/);
  assertEquals(body.rules.length, 7);
});

Deno.test("GET /ai-of-the-day returns 304 until something changes", async () => {
  await using app = await testApp();
  const get = async (etag = "") => {
    const headers = { "if-none-match": etag };
    const response = await app.request("/api/v1/ai-of-the-day", { headers });
    return [response.status, response.headers.get("etag")!] as const;
  };
  const [, etag] = await get();
  for (const ms of [0, 1_000, 30_000]) {
    app.clock.advance(ms);
    assertEquals((await get(etag))[0], 304, `after ${ms} ms`);
  }
  await sign(app, "Scout");
  assertEquals((await get(etag))[0], 200);
});

Deno.test("the family with the most distinct check-ins on a UTC day wins the next UTC day", async () => {
  await using app = await testApp();
  await sign(app, "Claude 1");
  await sign(app, "Claude 2");
  await sign(app, "Claude 2", { catchphrase: "Again" });
  await sign(app, "GPT-5");
  const { race } = (await app.json("/api/v1/ai-of-the-day")).body;
  assertEquals(race.standings, [
    { family: "anthropic", name: "Anthropic", checkIns: 2, detectedHits: 0 },
    { family: "openai", name: "OpenAI", checkIns: 1, detectedHits: 0 },
  ]);
  assertEquals((await today(app)).winner, null, "not before the day is over");
  app.clock.set(MIDNIGHT);
  const won = await today(app);
  assertEquals([won.day, won.basedOn], ["2026-03-05", "2026-03-04"]);
  assertEquals(won.winner, {
    family: "anthropic",
    name: "Anthropic",
    checkIns: 2,
    detectedHits: 0,
  });
  assertEquals(won.theme, { name: "Kiln", ...familyThemes.anthropic.palette });
  assertEquals(won.themeSource, "curated");
  app.clock.advance(DAY_MS);
  assertEquals((await today(app)).winner, null, "one day only");
});

Deno.test("ties go to the family with more detected hits that day, then to the first id alphabetically", async (t) => {
  const table: [why: string, hits: [string, number][], winner: string][] = [
    ["no hits: the first id wins", [], "openai"],
    ["hits of one family", [["GrokBot", 3]], "xai"],
    ["equal hits: the first id wins", [["GrokBot", 3], ["GPTBot", 3]], "openai"],
    ["hits of all of a family's user agents add up", [["GrokBot", 3], ["GPTBot", 2], [
      "ChatGPT-User",
      2,
    ]], "openai"],
    ["hits of a family without check-ins don't count", [["ClaudeBot", 9], ["GrokBot", 1]], "xai"],
  ];
  for (const [why, hits, winner] of table) {
    await t.step(why, async () => {
      await using app = await testApp({ now: TEST_NOW - DAY_MS });
      visit(app, [["GPTBot", 7], ["GrokBot", 2]]);
      app.clock.set(TEST_NOW);
      visit(app, hits);
      await sign(app, "Grok 4");
      await sign(app, "GPT-5");
      app.clock.set(MIDNIGHT);
      assertEquals((await today(app)).winner.family, winner);
    });
  }
});

Deno.test("the theme is the latest proposal in the winning family's check-ins that day (invariant 19)", async () => {
  await using app = await testApp({ now: TEST_NOW - DAY_MS });
  await sign(app, "Claude 1", { themeProposal: proposal("Yesterday's") });
  app.clock.set(TEST_NOW);
  await sign(app, "Claude 1", { themeProposal: proposal("First") });
  app.clock.advance(1_000);
  await sign(app, "Claude 3", { themeProposal: proposal("At the same time") });
  await sign(app, "Claude 2", { themeProposal: proposal("Second") });
  app.clock.advance(1_000);
  await sign(app, "GPT-5", { themeProposal: proposal("Another family's") });
  app.clock.advance(1_000);
  await sign(app, "Claude 1");
  app.clock.set(MIDNIGHT);
  const won = await today(app);
  assertEquals([won.theme.name, won.themeSource, won.proposedBy], [
    "Second",
    "proposal",
    "Claude 2",
  ]);
  assertEquals(paletteProblems(won.theme), [], "invariant 19");
  assertEquals(await getDailyTheme(app.deps), won.theme);
});

Deno.test("checking in again the same day keeps the theme proposal unless a new one replaces it", async () => {
  await using app = await testApp();
  await sign(app, "Claude", { themeProposal: proposal("Kept") });
  await sign(app, "Claude");
  app.clock.set(MIDNIGHT);
  assertEquals((await today(app)).theme.name, "Kept");
  await sign(app, "Claude", { themeProposal: proposal("Kept") });
  await sign(app, "Claude", { themeProposal: proposal("Replaced") });
  app.clock.advance(DAY_MS);
  assertEquals((await today(app)).theme.name, "Replaced");
});

Deno.test("hidden check-ins don't count in the race, in closed results or for the theme", async () => {
  await using app = await testApp();
  await sign(app, "Claude 1", { themeProposal: proposal("Hidden") });
  await sign(app, "Claude 2");
  await sign(app, "GPT-5");
  const hide = (agentName: string, hidden: boolean) =>
    setCheckInHidden(app.deps, { day: "2026-03-04", agentName, hidden });
  await hide("Claude 2", true);
  const { race } = await getAiOfTheDay(app.deps);
  assertEquals(race.standings.map((s) => [s.family, s.checkIns]), [["anthropic", 1], [
    "openai",
    1,
  ]]);
  app.clock.set(MIDNIGHT + 10 * MINUTE_MS);
  assertEquals((await today(app)).theme.name, "Hidden");
  assertEquals((await closeMissedDays(app.deps)).includes("2026-03-04"), true);
  await hide("Claude 1", true);
  assertEquals((await today(app)).winner.family, "openai");
  await closeMissedDays(app.deps);
  await hide("Claude 2", false);
  const tied = await today(app);
  assertEquals([tied.winner.family, tied.themeSource], ["anthropic", "curated"]);
  await hide("Claude 2", true);
  await hide("Claude 1", false);
  await hide("Claude 2", false);
  assertEquals((await today(app)).winner.checkIns, 2);
});

Deno.test("the race follows check-ins that change family or are hidden", async () => {
  await using app = await testApp();
  const race = async () => {
    app.clock.advance(1_000);
    const { race } = await getAiOfTheDay(app.deps);
    return race.standings.map(({ family, checkIns }) => `${family} ${checkIns}`).join();
  };
  for (const name of ["Ada", "Bob"]) await sign(app, name, { maker: "Anthropic" });
  assertEquals(await race(), "anthropic 2");
  await sign(app, "Ada", { maker: "OpenAI" });
  assertEquals(await race(), "anthropic 1,openai 1");
  await sign(app, "Bob", { maker: "OpenAI" });
  assertEquals(await race(), "openai 2");
  await setCheckInHidden(app.deps, { day: "2026-03-04", agentName: "Ada", hidden: true });
  await sign(app, "Ada", { maker: "Google" });
  assertEquals(await race(), "openai 1");
  const { families } = await app.deps.guestbookBoard.read(app.clock.now());
  assertEquals([...families], [["openai", 1]]);
});

Deno.test("until a day's result is stored, its check-ins are reread every ten seconds or when one is hidden", async () => {
  let read = 0;
  const kv = kvListing(await Deno.openKv(":memory:"), ({ key }) => {
    if (key[0] === guestbookKeys.allCheckIns[0] && key[1] === "2026-03-04") read++;
  });
  await using app = await testApp({ kv });
  await sign(app, "Claude", { themeProposal: proposal("Hidden") });
  await sign(app, "GPT-5");
  app.clock.set(MIDNIGHT);
  for (let i = 0; i < 8; i++) {
    assertEquals((await today(app)).theme.name, "Hidden");
    app.clock.advance(1_000);
  }
  assertEquals(read, 2);
  await setCheckInHidden(app.deps, { day: "2026-03-04", agentName: "Claude", hidden: true });
  assertEquals([(await today(app)).winner.family, read], ["openai", 4]);
  app.clock.advance(10_000);
  await today(app);
  assertEquals(read, 6);
});

Deno.test("the operator can switch the theme off or override it", async () => {
  await using app = await testApp();
  await sign(app, "Claude");
  app.clock.set(MIDNIGHT);
  const note = async () =>
    (await app.json("/api/v1/ai-of-the-day")).body.race.note.replace(/^.* for /, "");
  assertEquals(await note(), "2026-03-06.");
  await setThemeControl(app.deps, { enabled: false });
  assertEquals(await note(), "2026-03-06, if daily themes are on again by then.");
  const off = await today(app);
  assertEquals([off.enabled, off.theme, off.winner.family], [false, null, "anthropic"]);
  assertEquals(await getDailyTheme(app.deps), null);
  await setThemeControl(app.deps, { enabled: true });
  await setThemeControl(app.deps, { override: "tide" });
  assertEquals(await note(), "2026-03-06, unless the operator's choice still applies.");
  const overridden = await today(app);
  assertEquals([overridden.override, overridden.theme.name, overridden.themeSource], [
    "tide",
    "Tide",
    "override",
  ]);
  await setThemeControl(app.deps, { override: "moonshot" });
  assertEquals((await today(app)).theme, { name: "Moonrise", ...familyThemes.moonshot.palette });
  await setThemeControl(app.deps, { override: null });
  assertEquals((await today(app)).themeSource, "curated");
});

Deno.test("themes.css is immutable under the versioned URL that pages link to, and no-cache otherwise", async () => {
  await using app = await testApp();
  const page = await app.text("/");
  const named = /\/themes\.css\?v=\w+/.exec(page)![0];
  const kept = async (path: string) => (await app.request(path)).headers.get("cache-control");
  assertEquals(await kept(named), "public, max-age=31536000, immutable");
  assertEquals([await kept("/themes.css"), await kept("/themes.css?v=0")], [
    "no-cache",
    "no-cache",
  ]);
});

Deno.test("pages fall back to the last known theme of the day while storage hangs", async () => {
  await using app = await testApp();
  await setThemeControl(app.deps, { override: "amber" });
  const look = async () => {
    const response = await app.request("/terms");
    assertEquals(response.status, 200);
    return /themes\.css\?v=\w+/.exec(await response.text())![0];
  };
  const before = await look();
  app.clock.advance(5_000);
  app.deps.store.get = () => new Promise(() => {});
  app.deps.store.getMany = () => new Promise(() => {});
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve("late"), 5_000);
  assertEquals(await Promise.race([look(), late.promise]), before);
  clearTimeout(timer);
});

Deno.test("changes from another process show within a second, whenever the cached values were read", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  const other = await testApp({ kv });
  await sign(other, "Claude");
  for (const [i, asked] of [10, 300, 490, 510, 740, 990, 1_010].entries()) {
    // Pages read today's theme, and the guestbook reads check-ins. The race is built from both.
    await getDailyTheme(app.deps);
    await app.json("/api/v1/guestbook");
    app.clock.advance(5);
    const [override, hidden] = [i % 2 === 0 ? "tide" : "amber", i % 2 === 0] as const;
    await setThemeControl(other.deps, { override });
    await setCheckInHidden(other.deps, { day: "2026-03-04", agentName: "Claude", hidden });
    app.clock.advance(asked - 5);
    await app.json("/api/v1/ai-of-the-day");
    app.clock.advance(Math.max(0, 1_005 - asked));
    const { body } = await app.json("/api/v1/ai-of-the-day");
    const [leader] = body.race.standings;
    assertEquals(
      [body.today.override, leader?.checkIns ?? 0],
      [override, hidden ? 0 : 1],
      `asked after ${asked} ms`,
    );
    app.clock.advance(5_000);
  }
});

/**
 * Plays one day, then runs `path`, which is what the server does around midnight. Returns the
 * result.
 */
async function live(path: (app: TestApp) => Promise<void>) {
  await using app = await testApp();
  visit(app, [["GrokBot", 5], ["GPTBot", 2]]);
  await sign(app, "Grok 4", { themeProposal: proposal("Grok's") });
  await sign(app, "GPT-5", { themeProposal: proposal("GPT's") });
  app.clock.set(MIDNIGHT - 10 * MINUTE_MS);
  await path(app);
  app.clock.set(MIDNIGHT + DAY_MS / 2);
  const view = await today(app);
  return { view, result: await closeDay(app.deps, "2026-03-04") };
}

Deno.test("a day's winner doesn't depend on when, how often or whether the job runs (invariant 18)", async () => {
  const [job] = jobs.filter((one) => one.name === "ai-of-the-day");
  const run = (app: TestApp) => job!.run(app.deps, app.clock.now());
  const attended = await live(async (app) => {
    app.clock.set(MIDNIGHT);
    await run(app);
    app.clock.set(MIDNIGHT + 3 * MINUTE_MS);
    await run(app);
  });
  assertEquals([attended.view.winner.family, attended.view.theme.name], ["xai", "Grok's"]);
  const others = {
    "a missed midnight, down from 23:50 to 00:20": await live(async (app) => {
      app.clock.set(MIDNIGHT + 20 * MINUTE_MS);
      await run(app);
    }),
    "no job at all": await live(() => Promise.resolve()),
    "five times": await live(async (app) => {
      for (let i = 0; i < 5; i++) {
        app.clock.set(MIDNIGHT + i * MINUTE_MS);
        await run(app);
        await today(app);
      }
    }),
    "twenty at once": await live(async (app) => {
      app.clock.set(MIDNIGHT + 3 * MINUTE_MS);
      await Promise.all(Array.from({ length: 20 }, () => run(app)));
    }),
  };
  for (const [how, lived] of Object.entries(others)) assertEquals(lived, attended, how);
});

Deno.test("a day's result is stored only after late counts can have arrived, and is then final", async () => {
  await using app = await testApp();
  await sign(app, "Grok 4");
  await sign(app, "GPT-5");
  app.clock.set(MIDNIGHT);
  await closeMissedDays(app.deps);
  assertEquals((await today(app)).winner.family, "openai");
  // Hits from the day's last seconds arrive with another process's next flush.
  app.clock.set(MIDNIGHT - 1);
  visit(app, [["GrokBot", 1]]);
  app.clock.set(MIDNIGHT + 3 * MINUTE_MS);
  await closeMissedDays(app.deps);
  assertEquals((await today(app)).winner.family, "xai");
  app.clock.set(MIDNIGHT - 1);
  visit(app, [["GPTBot", 9]]);
  app.clock.set(MIDNIGHT + 6 * MINUTE_MS);
  assertEquals((await today(app)).winner.family, "xai");
});

Deno.test("a result stored while the clock was ahead is recomputed once the clock is right", async () => {
  await using app = await testApp();
  await sign(app, "Grok 4");
  await sign(app, "GPT-5");
  const ahead = MIDNIGHT + 3 * MINUTE_MS;
  app.clock.set(ahead);
  await closeMissedDays(app.deps);
  assertEquals((await today(app)).winner.family, "openai");
  app.clock.set(TEST_NOW);
  visit(app, [["GrokBot", 1]]);
  app.clock.set(MIDNIGHT + MINUTE_MS);
  assertEquals((await today(app)).winner.family, "xai");
  app.clock.set(TEST_NOW);
  await closeMissedDays(app.deps);
  app.clock.set(ahead);
  assertEquals((await closeDay(app.deps, "2026-03-04")).winner?.family, "xai");
});

Deno.test("two processes closing the same day store one result", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/day.sqlite3`;
    await using one = await testApp({ kv: await Deno.openKv(path) });
    await using two = await testApp({ kv: await Deno.openKv(path) });
    await sign(one, "Claude", { themeProposal: proposal("Ours") });
    for (const app of [one, two]) app.clock.set(MIDNIGHT + 5 * MINUTE_MS);
    const results = await Promise.all(
      [one, two, one, two].map((app) => closeDay(app.deps, "2026-03-04")),
    );
    for (const result of results) assertEquals(result, results[0]);
    assertEquals(await today(one), await today(two));
    assertEquals((await today(two)).theme.name, "Ours");
  });
});

Deno.test("a check-in committed after its day was closed reopens that day (invariant 18)", async () => {
  const kv = await Deno.openKv(":memory:");
  const underWay = Promise.withResolvers<void>();
  const landing = Promise.withResolvers<void>();
  let isSlow = false;
  const slow = kvWith(kv, {
    async commit(land) {
      if (isSlow) {
        underWay.resolve();
        await landing.promise;
      }
      return await land();
    },
  });
  await using app = await testApp({ kv, now: MIDNIGHT - 1_000 });
  const stopped = await testApp({ kv: slow, now: MIDNIGHT - 1_000 });
  await sign(app, "Grok");
  isSlow = true;
  // Ties with the other family, and comes first alphabetically.
  const signing = sign(stopped, "Claude");
  await underWay.promise;
  app.clock.set(MIDNIGHT + 5 * MINUTE_MS);
  assertEquals((await closeDay(app.deps, "2026-03-04")).winner?.family, "xai");
  landing.resolve();
  await signing;
  assertEquals((await closeDay(app.deps, "2026-03-04")).winner?.family, "anthropic");
});

Deno.test("closeMissedDays closes each of the last 30 days once", async () => {
  await using app = await testApp();
  await sign(app, "Claude");
  app.clock.set(TEST_NOW + 3 * DAY_MS);
  const closed = await closeMissedDays(app.deps);
  assertEquals(closed.length, 30);
  assertEquals(closed.slice(0, 3), ["2026-03-06", "2026-03-05", "2026-03-04"]);
  assertEquals(await closeMissedDays(app.deps), []);
  assertEquals((await closeDay(app.deps, "2026-03-04")).winner?.family, "anthropic");
});

Deno.test("a theme whose check-in was hidden during a read isn't used when storage fails later", async () => {
  const real = await Deno.openKv(":memory:");
  let fails = false;
  let held: Promise<void> | undefined;
  const kv = kvWith(real, {
    before() {
      if (fails) throw new Error("down");
    },
    async *list(selector, options) {
      const entries = await Array.fromAsync(real.list(selector, options));
      await held;
      yield* entries;
    },
  });
  await using app = await testApp({ kv });
  const agentName = "Claude Evil";
  await sign(app, agentName, { model: "claude", themeProposal: proposal("Mine") });
  app.clock.advance(DAY_MS);
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const early = getDailyTheme(app.deps);
  await new Promise((done) => setTimeout(done, 50));
  held = undefined;
  await setCheckInHidden(app.deps, { day: "2026-03-04", agentName, hidden: true });
  resolve();
  assertEquals((await early)?.name, "Mine");
  fails = true;
  app.clock.advance(HOUR_MS);
  assertEquals(await getDailyTheme(app.deps), null);
});

Deno.test("the page lists the winners of the 14 days before yesterday, newest first", async () => {
  await using app = await testApp();
  const start = app.clock.now();
  for (const [n, model] of ["claude", "gpt", null, "claude", "gpt"].entries()) {
    app.clock.set(start + n * DAY_MS);
    if (model) await sign(app, `Agent ${n}`, { model });
    app.clock.set(start + (n + 1) * DAY_MS);
    await closeMissedDays(app.deps);
  }
  const listed = async () => {
    const text = (await app.text("/ai-of-the-day.md")).replace(/[\s*-]+/g, " ");
    return [...text.matchAll(/(\w+) 1 check in, (\w+ \d+)/g)].map(([, name, day]) =>
      `${name} ${day}`
    );
  };
  assertEquals(await listed(), ["Anthropic Mar 7", "OpenAI Mar 5", "Anthropic Mar 4"]);
  app.clock.advance(11 * DAY_MS);
  assertEquals(await listed(), ["OpenAI Mar 8", "Anthropic Mar 7", "OpenAI Mar 5"]);
});
