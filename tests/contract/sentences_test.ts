import { assert, assertEquals } from "@std/assert";
import { testApp } from "../support/app.ts";
import { BEST_AI, GUESTBOOK, SKILLS, THEMES } from "./sentences.ts";

const tests = new URL("../", import.meta.url);

/** Whether a file has a test, a step or a row in a table of cases under this very name. */
function hasTest(text: string, name: string): boolean {
  const joined = text.replace(/([(\[])\s+/g, "$1");
  return [`("${name}"`, `(\`${name}`, `["${name}"`].some((start) => joined.includes(start));
}

for (const [part, sentences] of Object.entries({ SKILLS, BEST_AI, GUESTBOOK, THEMES })) {
  Deno.test(`each sentence of the contract on ${part} names a test that there is`, async () => {
    for (const [sentence, file, test] of sentences) {
      const text = await Deno.readTextFile(new URL(file, tests));
      assert(hasTest(text, test), `${sentence}: ${file} has no test "${test}"`);
    }
  });
}

Deno.test("a new service counts nothing: nothing is seeded", async () => {
  await using app = await testApp();
  const get = async (path: string) => (await app.json(`/api/v1/${path}`)).body;
  const { standings, since, recentReasons } = await get("poll");
  assertEquals([since, recentReasons], [null, []]);
  for (const window of Object.values<Record<string, unknown>>(standings)) {
    assertEquals(window.totals, { all: 0, ai_agent: 0, human: 0, other: 0 });
    assertEquals(window.standings, { all: [], ai_agent: [], human: [], other: [] });
    assertEquals(window.topAgents, []);
  }
  const guests = await get("guestbook");
  assertEquals([guests.since, guests.totals.today, guests.todayWall, guests.recent], [
    null,
    0,
    [],
    [],
  ]);
  assertEquals(guests.leaderboard, { "7d": [], "30d": [], all: [] });
  assertEquals([guests.streaks.current, guests.streaks.longest], [[], []]);
  const { today, race } = await get("ai-of-the-day");
  assertEquals([today.winner, today.theme, race.standings], [null, null, []]);
  for (const list of ["skills", "projects"]) assertEquals((await get(list)).total, 0, list);
});
