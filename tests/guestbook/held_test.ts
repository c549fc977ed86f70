import { assertEquals } from "@std/assert";
import { verify } from "@/lib/backup/verify.ts";
import { DAY_MS, isoTime, MINUTE_MS } from "@/lib/clock.ts";
import { forgetGuest } from "@/lib/guestbook/forget.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { operator, operatorJson } from "../support/operator.ts";

const sign = (app: TestApp, agentName: string, address: string, maker = "OpenAI") =>
  app.json("/api/v1/guestbook", { json: { agentName, maker, catchphrase: "Here" }, address });

async function race(app: TestApp): Promise<[string, number][]> {
  const { body } = await app.json("/api/v1/ai-of-the-day");
  return body.race.standings.map((
    row: { family: string; checkIns: number },
  ) => [row.family, row.checkIns]);
}

Deno.test("holding check-ins of a time span removes them from the race, and release restores only those", async () => {
  await using app = await testApp();
  await sign(app, "Ada", "198.51.100.1", "Anthropic");
  await operator(app, "checkins", "hide", "2026-03-04", "Ada");
  await sign(app, "Eve", "198.51.100.1", "Anthropic");
  app.clock.advance(MINUTE_MS);
  const from = isoTime(app.clock.now());
  for (const i of [1, 2, 3]) await sign(app, `Ring ${i}`, `198.51.100.${i}`);
  app.clock.advance(MINUTE_MS);
  const before = await race(app);
  const span = ["--from", from, "--until", isoTime(app.clock.now())];
  assertEquals((await operator(app, "checkins", "hold", ...span)).stdout, "3 check-ins held\n");
  assertEquals((await race(app)).filter(([, n]) => n > 0), [["anthropic", 1]]);
  assertEquals((await app.json("/api/v1/guestbook")).body.totals.today, 1);
  await sign(app, "Ring 1", "198.51.100.1");
  assertEquals(
    (await app.json("/api/v1/guestbook")).body.totals.today,
    1,
    "signing again shows none",
  );
  assertEquals(await verify(app.deps.store), []);
  const held = (await operator(app, "checkins", "held")).stdout.trim().split("\n");
  assertEquals([held.length, held.at(-1)], [4, "3 check-ins held"]);
  assertEquals((await operatorJson(app, "checkins", "release")).released, 3);
  assertEquals(await race(app), before);
  assertEquals((await app.json("/api/v1/guestbook")).body.totals.today, 4);
  assertEquals(await verify(app.deps.store), []);
});

Deno.test("check-ins can be held until the last moment of the year 9999", async () => {
  await using app = await testApp();
  await sign(app, "Ada", "198.51.100.1");
  const span = ["--from", isoTime(app.clock.now()), "--until", "9999-12-31T23:59:59Z"];
  assertEquals((await operator(app, "checkins", "hold", ...span)).stdout, "1 check-in held\n");
});

Deno.test("a check-in that arrives while its name is being forgotten counts, and can be hidden", async () => {
  const plain = await Deno.openKv(":memory:");
  let arrive: (() => Promise<unknown>) | undefined;
  const kv = kvWith(plain, {
    async *list(selector, options) {
      yield* plain.list(selector, options);
      if (selector.prefix?.[0] !== "guestbook_check_ins") return;
      const arrives = arrive;
      arrive = undefined;
      await arrives?.();
    },
  });
  await using app = await testApp({ kv });
  await sign(app, "Ada", "198.51.100.1");
  app.clock.advance(DAY_MS);
  arrive = () => sign(app, "Ada", "198.51.100.1");
  assertEquals(await forgetGuest(app.deps, "Ada"), 1);
  assertEquals(await verify(app.deps.store), []);
  const { leaderboard } = (await app.json("/api/v1/guestbook")).body;
  assertEquals([leaderboard.all[0].agentName, leaderboard.all[0].checkIns], ["Ada", 1]);
  assertEquals((await operator(app, "checkins", "hide", "2026-03-05", "Ada")).status, 0);
});

Deno.test("a held check-in that the operator hides stays hidden after a release", async () => {
  await using app = await testApp();
  const span = ["--from", isoTime(app.clock.now()), "--until", isoTime(app.clock.now() + 1)];
  for (const i of [1, 2]) await sign(app, `Ring ${i}`, `198.51.100.${i}`);
  assertEquals((await operator(app, "checkins", "hold", ...span)).stdout, "2 check-ins held\n");
  assertEquals((await operator(app, "checkins", "hide", "2026-03-04", "Ring 1")).status, 0);
  assertEquals((await operatorJson(app, "checkins", "release")).released, 1);
  const { todayWall } = (await app.json("/api/v1/guestbook")).body;
  assertEquals(todayWall.map(({ agentName }: { agentName: string }) => agentName), ["Ring 2"]);
  assertEquals(await verify(app.deps.store), []);
});

Deno.test("undoing the hiding of a held check-in doesn't show it before the release", async () => {
  await using app = await testApp();
  const span = ["--from", isoTime(app.clock.now()), "--until", isoTime(app.clock.now() + 1)];
  for (const i of [1, 2]) await sign(app, `Ring ${i}`, `198.51.100.${i}`);
  const wall = async () => {
    const { todayWall } = (await app.json("/api/v1/guestbook")).body;
    return todayWall.map(({ agentName }: { agentName: string }) => agentName);
  };
  assertEquals((await operator(app, "checkins", "hide", "2026-03-04", "Ring 2")).status, 0);
  assertEquals((await operator(app, "undo")).status, 0);
  assertEquals(await wall(), ["Ring 2", "Ring 1"]);
  assertEquals((await operator(app, "checkins", "hold", ...span)).stdout, "2 check-ins held\n");
  assertEquals((await operator(app, "checkins", "hide", "2026-03-04", "Ring 1")).status, 0);
  assertEquals((await operator(app, "undo")).status, 0);
  assertEquals(await wall(), []);
});
