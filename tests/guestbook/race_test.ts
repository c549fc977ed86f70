import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { closeMissedDays, getAiOfTheDay } from "@/lib/ai_of_the_day/service.ts";
import { familyOf } from "@/lib/catalog/ai_families.ts";
import { addDays, DAY_MS, utcDay } from "@/lib/clock.ts";
import { setCheckInHidden } from "@/lib/guestbook/check_ins.ts";
import type { StoredCheckIn } from "@/lib/guestbook/schema.ts";
import { exchangeNews, type TestApp, testApp } from "../support/app.ts";
import { inFolder } from "../support/folder.ts";
import { rounds } from "../support/runs.ts";

function sign(app: TestApp, agentName: string, address?: string) {
  return app.json("/api/v1/guestbook", { json: { agentName, catchphrase: "Hello" }, address });
}

Deno.test("60 concurrent new names from one network: exactly 25 sign (invariant 15)", async () => {
  await using app = await testApp();
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => sign(app, `Agent ${i}`)),
  );
  assertEquals(answers.filter((a) => a.status === 201).length, 25);
  const refused = answers.filter((a) => a.body.error?.code === "too_many_agent_identities");
  assertEquals(refused.length, 35);
  assertEquals((await app.json("/api/v1/guestbook")).body.totals.today, 25);
});

Deno.test("one name from 30 networks at once: one signs, and the others get already_signed (invariant 17)", async () => {
  await using app = await testApp();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => sign(app, "Scout", `198.51.100.${i}`)),
  );
  assertEquals(answers.filter((a) => a.status === 201).length, 1);
  assertEquals(answers.filter((a) => a.body.error?.code === "already_signed").length, 29);
  assertEquals((await app.json("/api/v1/guestbook")).body.leaderboard.all[0].checkIns, 1);
});

Deno.test("20 concurrent check-ins of one name from one network count once", async () => {
  await using app = await testApp();
  const answers = await Promise.all(Array.from({ length: 20 }, () => sign(app, "Scout")));
  assertEquals(answers.map((a) => a.status).sort(), [...Array(19).fill(200), 201]);
  const { body } = await app.json("/api/v1/guestbook");
  assertEquals([body.totals.today, body.leaderboard.all[0].checkIns], [1, 1]);
});

/** A plain recomputation of leaderboards and streaks from the days of all visible check-ins. */
async function recompute(app: TestApp) {
  const today = utcDay(app.clock.now());
  const agents = new Map<string, { name: string; last: string; days: Set<string> }>();
  const checkIns = app.deps.store.list<StoredCheckIn>({ prefix: ["guestbook_check_ins"] });
  for await (const { key, value } of checkIns) {
    if (value.hidden) continue;
    const [, day, id] = key as [string, string, string];
    const agent = agents.get(id) ?? { name: value.agentName, last: day, days: new Set() };
    agents.set(id, { name: value.agentName, last: day, days: agent.days.add(day) });
  }
  const since = (days: Set<string>, from: string) => [...days].filter((d) => d >= from).length;
  const back = (days: Set<string>, from: string) => {
    let length = 0;
    while (length < 400 && days.has(addDays(from, -length))) length++;
    return length;
  };
  const rank = (count: (days: Set<string>) => number) =>
    [...agents.values()].map(({ name, days }) => [name.toLowerCase(), count(days)] as const)
      .filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return {
    today: [...agents.values()].filter(({ days }) => days.has(today)).length,
    "7d": rank((days) => since(days, addDays(today, -6))),
    "30d": rank((days) => since(days, addDays(today, -29))),
    all: rank((days) => days.size),
    current: rank((days) => back(days, days.has(today) ? today : addDays(today, -1))),
    longest: rank((days) =>
      Math.max(0, ...[...days].filter((d) => d > addDays(today, -400)).map((d) => back(days, d)))
    ),
  };
}

async function shown(app: TestApp) {
  const { totals, leaderboard, streaks } = (await app.json("/api/v1/guestbook")).body;
  const rows = (list: { agentName: string; checkIns?: number; days?: number }[]) =>
    list.map((row) => [row.agentName.toLowerCase(), row.checkIns ?? row.days] as const)
      .sort((a, b) => b[1]! - a[1]! || (a[0] < b[0] ? -1 : 1));
  return {
    today: totals.today,
    "7d": rows(leaderboard["7d"]),
    "30d": rows(leaderboard["30d"]),
    all: rows(leaderboard.all),
    current: rows(streaks.current),
    longest: rows(streaks.longest),
  };
}

Deno.test("random concurrent histories: rankings, streaks and winners match a plain recomputation", async () => {
  const names = ["Claude A", "CLAUDE A", "GPT B", "gpt b", "Grok C", "Wanderer"];
  const signing = fc.record({
    name: fc.constantFrom(...names),
    address: fc.integer({ min: 1, max: 2 }).map((n) => `198.51.100.${n}`),
  });
  const hiding = fc.record({
    name: fc.constantFrom(...names),
    back: fc.integer({ min: 0, max: 3 }),
  });
  const day = fc.record({
    skip: fc.constantFrom(1, 1, 1, 1, 2, 9),
    signings: fc.array(signing, { maxLength: 10 }),
    hidings: fc.array(fc.record({ place: hiding, hidden: fc.boolean() }), { maxLength: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(day, { minLength: 1, maxLength: 12, size: "max" }), async (days) => {
      await using app = await testApp();
      for (const { skip, signings, hidings } of days) {
        app.clock.advance(skip * DAY_MS);
        const today = utcDay(app.clock.now());
        await Promise.all([
          ...signings.map(({ name, address }) => sign(app, name, address)),
          ...hidings.map(({ place, hidden }) =>
            setCheckInHidden(app.deps, {
              day: addDays(today, -place.back),
              agentName: place.name,
              hidden,
            }).catch((error) => assertEquals(error.code, "not_found"))
          ),
        ]);
        assertEquals(await shown(app), await recompute(app));
        await assertWinner(app, addDays(today, -1));
      }
      await closeMissedDays(app.deps);
      await assertWinner(app, addDays(utcDay(app.clock.now()), -1));
    }),
    { numRuns: rounds(10, 25) },
  );
});

/** Asserts that a day's winner has the most visible check-ins, or the lowest id among ties. */
async function assertWinner(app: TestApp, day: string): Promise<void> {
  const counts = new Map<string, number>();
  const prefix = ["guestbook_check_ins", day];
  for await (const { value } of app.deps.store.list<StoredCheckIn>({ prefix })) {
    const family = familyOf(value);
    if (!value.hidden) counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  const [first] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const { today } = await getAiOfTheDay(app.deps);
  assertEquals(
    today.winner === null ? undefined : [today.winner.family, today.winner.checkIns],
    first,
  );
}

Deno.test("two processes on one store agree on names, caps and hidden check-ins", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/guestbook.sqlite3`;
    await using one = await testApp({ kv: await Deno.openKv(path) });
    await using two = await testApp({ kv: await Deno.openKv(path) });
    await one.json("/api/v1/guestbook");
    await two.json("/api/v1/guestbook");
    exchangeNews(one, two);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => sign(i % 2 === 0 ? one : two, `Agent ${i}`)),
    );
    assertEquals(answers.filter((a) => a.status === 201).length, 25);
    for (const app of [one, two]) {
      assertEquals(await shown(app), await recompute(app), "with the other's check-ins");
    }
    const signed = answers.find((a) => a.status === 201)!.body.checkIn.agentName;
    await sign(one, signed.toUpperCase());
    const { todayWall } = (await two.json("/api/v1/guestbook")).body;
    assert(todayWall.some((c: { agentName: string }) => c.agentName === signed.toUpperCase()));
    await setCheckInHidden(one.deps, {
      day: utcDay(one.clock.now()),
      agentName: signed,
      hidden: true,
    });
    two.clock.advance(1_000);
    one.clock.advance(1_000);
    assertEquals((await two.json("/api/v1/guestbook")).body.totals.today, 24);
    assertEquals(await shown(two), await recompute(two));
    assertEquals(await shown(one), await recompute(one));
  });
});
