import { assert, assertEquals, assertMatch } from "@std/assert";
import { DAY_MS, dayStart, utcDay } from "@/lib/clock.ts";
import { dailyCountsSince, noteDailyCounts } from "@/lib/listings/daily_counts.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { CLOSE, hold, START } from "../auctions/bidding.ts";
import { addressOf, submit } from "../support/listings.ts";
import { type PaidApp, paidApp } from "../support/payments.ts";
import { buy } from "../support/promotions.ts";
import { BROWSER } from "../support/user_agents.ts";

const PERSON = BROWSER;
const AGENT = "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)";
const NONE = { person: 0, ai_agent: 0, crawler: 0 };
let visitor = 0;

async function click(app: PaidApp, slug: string, times: number, userAgent = PERSON) {
  for (let i = 0; i < times; i++) {
    const response = await app.request(`/go/${slug}`, {
      address: addressOf(++visitor),
      userAgent,
    });
    assertEquals(response.status, 302);
  }
}

/** A project from the first day with complete counts, with its edit key. */
async function stage() {
  const app = await paidApp();
  await noteDailyCounts(app.deps.store);
  const since = await dailyCountsSince(app.deps.store);
  app.clock.set(dayStart(since));
  const { project: { slug }, editKey } = await submit(app);
  const report = async () =>
    (await app.json(`/api/v1/projects/${slug}/promotion-report`, { editKey })).body;
  return { app, slug, editKey, since, report };
}

Deno.test("a report has clicks and votes by visitor class before, during and after a promotion", async () => {
  const { app, slug, since, report } = await stage();
  await using _ = app;
  await click(app, slug, 31);
  await click(app, slug, 2, AGENT);
  app.clock.advance(DAY_MS);
  await buy(app, slug, "bump-3");
  await click(app, slug, 40);
  const vote = { address: addressOf(9_001), userAgent: PERSON };
  await app.json(`/api/v1/projects/${slug}/vote`, { method: "POST", ...vote });
  app.clock.advance(4 * DAY_MS);
  await app.json(`/api/v1/projects/${slug}/vote`, { method: "DELETE", ...vote });
  await click(app, slug, 3);
  app.clock.advance(DAY_MS);
  const { promotions: [promotion, ...rest], baseline, days, ...body } = await report();
  assertEquals([rest, body.since], [[], since]);
  assertEquals(promotion.before, {
    days: 1,
    clicks: { ...NONE, person: 31, ai_agent: 2 },
    votes: NONE,
  });
  assertEquals(promotion.during, {
    days: 3,
    clicks: { ...NONE, person: 40 },
    votes: { ...NONE, person: 1 },
  });
  assertEquals(promotion.after, {
    days: 2,
    clicks: { ...NONE, person: 3 },
    votes: { ...NONE, person: -1 },
  });
  assertEquals([baseline.days, baseline.clicks.person, promotion.isEnough], [3, 34, true]);
  assertEquals(days.length, 7);
  assertEquals(days.map(({ isPaid }: { isPaid: boolean }) => +isPaid).join(""), "0111000");
  assertEquals(days.at(-1).day, utcDay(app.clock.now()));
  app.clock.advance(90 * DAY_MS);
  assertEquals((await report()).days.length, 90);
});

Deno.test("a report calls few clicks too few to compare, and merges added time into one promotion", async () => {
  const { app, slug, editKey, report } = await stage();
  await using _ = app;
  await click(app, slug, 29);
  app.clock.advance(DAY_MS);
  await buy(app, slug, "bump-3");
  await buy(app, slug, "bump-3");
  await click(app, slug, 35);
  const { promotions } = await report();
  assertEquals(promotions.length, 1);
  assertEquals(Date.parse(promotions[0].endsAt) - Date.parse(promotions[0].startsAt), 6 * DAY_MS);
  assertEquals(promotions[0].isEnough, false);
  const page = `/p/${slug}/promotion-report`;
  const shown = await app.text(page, { form: { editKey } });
  assertMatch(shown, /Too few clicks to compare/);
  assertMatch(shown, /<h2>Promotion, /);
  app.clock.advance(7 * DAY_MS);
  await buy(app, slug, "bump-3");
  assertEquals((await report()).promotions.length, 2);
});

Deno.test("a report's tables are narrow enough for a phone", async () => {
  const { app, slug, editKey } = await stage();
  await using _ = app;
  app.clock.advance(DAY_MS);
  await buy(app, slug, "bump-3");
  app.clock.advance(DAY_MS);
  const page = await app.text(`/p/${slug}/promotion-report`, { form: { editKey } });
  const heads = page.match(/<thead>.*?<\/thead>/gs) ?? [];
  assertEquals(heads.map((head) => head.split("<th ").length - 1), [5, 6]);
});

Deno.test("a report includes only Front Row weeks that the project won, once they have started", async () => {
  for (const [isOwn, isPaid] of [[true, true], [true, false], [false, true]]) {
    const { app, slug, report } = await stage();
    await using _ = app;
    await hold(app, isOwn ? slug : (await submit(app)).project.slug, 1000);
    app.clock.set(CLOSE);
    if (!isPaid) app.stripe.fail("http_402", /capture$/);
    await settlePayments(app.deps);
    const names = async () => (await report()).promotions.map(({ name }: { name: string }) => name);
    assertEquals(await names(), []);
    app.clock.set(START);
    assertEquals(await names(), isOwn && isPaid ? ["Front Row"] : []);
  }
});

Deno.test("a report requires the edit key and says since when figures exist", async () => {
  const { app, slug, editKey, since } = await stage();
  await using _ = app;
  const path = `/api/v1/projects/${slug}/promotion-report`;
  for (const editKey of [undefined, "pik_wrong"]) {
    assertEquals((await app.json(path, { editKey })).body.error.code, "bad_edit_key");
  }
  const page = `/p/${slug}/promotion-report`;
  const wrong = await app.request(page, { form: { editKey: "pik_wrong" } });
  assertEquals(wrong.status, 403);
  assert(!(await wrong.text()).includes("By day"));
  const shown = await app.text(page, { form: { editKey } });
  assertMatch(shown, /This project hasn.*?t been promoted yet/);
  // Another start or process keeps the day.
  app.clock.advance(3 * DAY_MS);
  await noteDailyCounts(app.deps.store);
  assertEquals(await dailyCountsSince(app.deps.store), since);
});

Deno.test("counts noted by a clock that was far ahead start over once it is right", async () => {
  await using app = await paidApp();
  const now = app.clock.now();
  app.clock.advance(400 * DAY_MS);
  await noteDailyCounts(app.deps.store);
  app.clock.set(now);
  await noteDailyCounts(app.deps.store);
  assertEquals(await dailyCountsSince(app.deps.store), utcDay(now + DAY_MS));
});
