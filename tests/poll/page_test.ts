import { assert, assertEquals, assertMatch } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { LIMITS } from "@/lib/limits.ts";
import { pollKeys } from "@/lib/poll/keys.ts";
import { type TestApp, testApp, type TestRequest } from "../support/app.ts";
import { callTool } from "../support/mcp.ts";
import { BROWSER } from "../support/user_agents.ts";
import { vote } from "./voting.ts";

async function html(app: TestApp, path: string, init: TestRequest = {}) {
  const response = await app.request(path, { userAgent: BROWSER, ...init });
  return { response, text: await response.text() };
}

Deno.test("GET /poll shows the ballot form and honest empty states, uncached", async () => {
  await using app = await testApp();
  const { response, text } = await html(app, "/poll");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("cache-control"), "private, no-store");
  assert(text.includes('action="/poll"') && text.includes("No votes here yet"));
  assert(text.includes("Open until") && !text.includes("Next vote"), "may vote now");
  assertEquals(text.match(/<option /g)?.length, 19, "18 candidates and the empty choice");
  assert(!text.includes("<script"), "no script");
});

Deno.test("POST /poll stores a browser's ballot as human and via web, and the form then shows it", async () => {
  await using app = await testApp();
  const form = { candidate: "claude", writeIn: "", reason: "Kind" };
  const { response } = await html(app, "/poll", { form });
  assertEquals(response.status, 303);
  assertEquals(response.headers.get("location"), "http://projectory.test/poll#ballot");
  const { myVote } = (await app.json("/api/v1/poll", { userAgent: BROWSER })).body;
  assertEquals([myVote.voterClass, myVote.via, myVote.reason], ["human", "web", "Kind"]);
  const after = await html(app, "/poll");
  assert(after.text.includes("You voted for") && after.text.includes("Change my vote"));
  assert(
    /You can change your vote\s+until /.test(after.text) && !after.text.includes("Open until"),
  );
  assert(/<q [^>]*dir="auto"[^>]*>Kind<\/q>/.test(after.text));
  assertMatch(after.text.replaceAll(/<[^>]+>/g, ""), /Kind\s*for Claude, \w+ \d+, \d+/);
  assertMatch(after.text, /<option +value="claude" selected/);
  assertMatch(after.text, /<input id="reason"[^>]* value="Kind"/);
  await html(app, "/poll", { form: { candidate: "other", writeIn: "Olmo" } });
  const { text } = await html(app, "/poll");
  assertMatch(text, /<option +value="other" selected/);
  assertMatch(text, /<input id="writeIn"[^>]* value="Olmo"/);
  assertMatch(text, /<input id="reason"[^>]* value(?!=)/);
});

Deno.test("POST /poll shows problems at the fields and keeps what was typed", async () => {
  await using app = await testApp();
  const form = { candidate: "other", writeIn: "a/b", reason: "kept <text>" };
  const { response, text } = await html(app, "/poll", { form });
  assertEquals(response.status, 400);
  assert(text.includes('id="writeIn-problem"'));
  const label = /<label for="writeIn">(.*?)<\/label>/.exec(text)![1]!;
  assertEquals(label.trim(), "Write-in", "what Other needs is not called optional");
  assert(text.includes('value="kept &lt;text>"') || text.includes('value="kept &lt;text&gt;"'));
  const nothing = await html(app, "/poll", { form: {} });
  assertEquals(nothing.response.status, 400);
  assert(nothing.text.includes('id="candidate-problem"'));
});

Deno.test("GET /poll shows the latest twelve reasons and folds the rest if there are several", async () => {
  await using app = await testApp();
  const given = Array.from({ length: 14 }, (_, i) => `Reason ${i}`);
  for (const [i, reason] of given.entries()) {
    app.clock.advance(1_000);
    await vote(app, { candidate: "claude", reason }, { agent: `A${i}` });
    const { text } = await html(app, "/poll");
    assertEquals(/more\s+reason/.test(text), i >= 13, `${i + 1} reasons`);
  }
  const { text } = await html(app, "/poll");
  const [shown, folded] = text.split(/<summary>2\s+more reasons<\/summary>/);
  const reasonsIn = (part: string) => part.match(/Reason \d+/g);
  assertEquals(reasonsIn(shown!), given.slice(2).toReversed());
  assertEquals(reasonsIn(folded!), given.slice(0, 2).toReversed());
});

Deno.test("GET /poll shows only the reasons of the selected group and window", async () => {
  await using app = await testApp();
  await vote(app, { candidate: "claude", reason: "Mine" }, { agent: "Ada" });
  app.clock.advance(DAY_MS);
  await html(app, "/poll", { form: { candidate: "claude", writeIn: "", reason: "Yours" } });
  const reasonsOf = async (query: string) =>
    (await html(app, `/poll?${query}`)).text.match(/<q [^>]*>\w+(?=<)/g)
      ?.map((found) => found.replace(/.*>/, "")) ?? [];
  assertEquals(await reasonsOf("window=7d"), ["Yours", "Mine"]);
  assertEquals(await reasonsOf("window=7d&group=ai_agent"), ["Mine"]);
  assertEquals(await reasonsOf("window=today"), ["Yours"]);
  assertEquals(await reasonsOf("window=today&group=ai_agent"), []);
});

Deno.test("POST /poll over the hourly limit says so and keeps what was typed", async () => {
  await using app = await testApp();
  for (let i = 0; i < 30; i++) await html(app, "/poll", { form: { candidate: "claude" } });
  const { response, text } = await html(app, "/poll", { form: { candidate: "claude" } });
  assertEquals(response.status, 429);
  assert(text.includes("What you typed is still here"));
  assertMatch(text, /Too many poll votes .*\. Try again in 60 minutes</);
});

Deno.test("GET /poll filters by the window and group in its URL", async () => {
  await using app = await testApp();
  await html(app, "/poll", { form: { candidate: "qwen" } });
  const humans = await html(app, "/poll?window=today&group=human");
  assert(humans.text.includes('aria-label="People, today"'));
  assertMatch(humans.text, /Qwen<\/span> leads with 1 of\s+1 vote</);
  assert(
    humans.text.includes(
      'Qwen</span> <span class="said">Alibaba<span class="wide"> · open weights',
    ),
    "set apart",
  );
  const agents = await html(app, "/poll?window=today&group=ai_agent");
  assert(agents.text.includes("No votes here yet"));
  assertEquals((await html(app, "/poll?group=bots")).response.status, 400);
});

Deno.test("GET /poll and the MCP tool give equal votes the same rank", async () => {
  await using app = await testApp();
  const candidates = ["claude", "claude", "gemini", "qwen", "mistral", "mistral", "grok"];
  for (const [i, candidate] of candidates.entries()) {
    await vote(app, { candidate }, { agent: `A${i}` });
  }
  const { text } = await html(app, "/poll");
  const ranks = [...text.matchAll(/<tr[^>]*><td class="num">(\d+)</g)].map(([, rank]) => rank);
  assertEquals(ranks, ["1", "1", "3", "3", "3"]);
  assertMatch(text, /<h2 id="standings">\s*7 votes</, "a tie has no leader");
  const told = (await callTool(app, "best_ai_leaderboard")).content[0].text;
  assertEquals([...told.matchAll(/^(\d+)\. /gm)].map(([, rank]) => rank), ranks);
});

Deno.test("GET /poll folds what follows the first 25 standings, with their ranks", async () => {
  await using app = await testApp();
  await vote(app, { candidate: "claude" }, { agent: "First" });
  await vote(app, { candidate: "claude" }, { agent: "Second" });
  for (let i = 0; i < 26; i++) {
    await vote(app, { candidate: "other", writeIn: `Model ${i}` }, {
      agent: `A${i}`,
      address: `10.0.${i}.1`,
    });
  }
  const { text } = await html(app, "/poll");
  const [shown, folded] = text.split(/<summary>2\s+more choices<\/summary>/);
  const ranksIn = (part: string) => part.match(/(?<=<td class="num">)\d+(?=<\/td><th)/g);
  assertEquals(ranksIn(shown!), ["1", ...Array(24).fill("2")]);
  assertEquals(ranksIn(folded!), ["2", "2"]);
  assertMatch(folded!, /aria-label="From rank 2"/);
});

Deno.test("GET /poll shows voters their own ballot, and no cache may keep it (invariant 33)", async () => {
  await using app = await testApp();
  const look = async (who: string) => {
    const { response, text } = await html(app, "/poll", { userAgent: `Mozilla/5.0 ${who}` });
    const { headers } = response;
    assertEquals(headers.get("cache-control"), "private, no-store");
    assertEquals([headers.get("etag"), headers.get("access-control-allow-origin")], [null, null]);
    const own = /You voted for\s+<strong[^>]*>(.*?)</.exec(text)?.[1];
    const votes = Number(/ of\s+(\d+) vote/.exec(text)?.[1] ?? 0);
    return { own, votes };
  };
  assertEquals(await look("A"), { own: undefined, votes: 0 });
  await html(app, "/poll", { form: { candidate: "claude" }, userAgent: "Mozilla/5.0 A" });
  assertEquals(await look("A"), { own: "Claude", votes: 1 });
  assertEquals(await look("B"), { own: undefined, votes: 1 });
});

Deno.test("POST /poll with a new write-in when the list is full says so at the field", async () => {
  await using app = await testApp();
  const names = Array.from({ length: LIMITS.writeInNames }, (_, i) => `Model ${i}`);
  await app.deps.store.transact((tx) => tx.set(pollKeys.writeIns, { names }));
  const form = { candidate: "other", writeIn: "One more", reason: "Kept" };
  const { response, text } = await html(app, "/poll", { form });
  assertEquals(response.status, 409);
  assertMatch(text, /<a href="#writeIn">Write-in<\/a>: The write-in list is full/);
  assertMatch(text, /id="writeIn-problem">The write-in list is full/);
  assert(text.includes('value="One more"') && text.includes('value="Kept"'));
});
