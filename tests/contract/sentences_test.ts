import { assert, assertEquals } from "@std/assert";
import { testApp } from "../support/app.ts";

const tests = new URL("../", import.meta.url);

/** Whether a file has a test, a step or a row in a table of cases with this exact name. */
function hasTest(text: string, name: string): boolean {
  const joined = text.replace(/([(\[])\s+/g, "$1");
  return [`("${name}"`, `(\`${name}`, `["${name}"`].some((start) => joined.includes(start));
}

const listed = await Deno.readTextFile(new URL("contract/sentences.txt", tests));
const [, ...parts] = listed.split(/^# /m);

for (const part of parts) {
  const [title, ...lines] = part.trim().split("\n");
  Deno.test(`every sentence of the contract on ${title!.toLowerCase()} names an existing test`, async () => {
    assert(
      lines.length > 0 && lines.length % 2 === 0,
      "each sentence has a line, and its test one",
    );
    for (let i = 0; i < lines.length; i += 2) {
      const [, file, test] = lines[i + 1]!.trim().match(/^([\w/]+_test\.ts): (.+)$/)!;
      const text = await Deno.readTextFile(new URL(file!, tests));
      assert(hasTest(text, test!), `${lines[i]}: ${file} has no test "${test}"`);
    }
  });
}

Deno.test("a new service has no seeded data", async () => {
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
