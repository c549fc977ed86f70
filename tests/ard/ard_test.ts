import { assert, assertEquals, assertMatch } from "@std/assert";
import { ardManifest } from "@/lib/ard/entries.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { paths } from "@/lib/urls.ts";
import { assertJson, SERVER_JSON } from "../documents/schemas.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { share } from "../support/skills.ts";

const SKILL = 'text/markdown; profile="urn:air:agent-skills"';
const URN = /^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/;
const search = (app: TestApp, json: unknown) => app.json("/ard/search", { json });
const find = async (app: TestApp, text: string, rest: object = {}) =>
  (await search(app, { query: { text, ...rest } })).body.results;

Deno.test("/.well-known/ard.json follows the draft, and its entries and URLs can be fetched", async () => {
  await using app = await testApp();
  const { body } = await app.json("/.well-known/ard.json");
  assertEquals(body, ardManifest(app.deps));
  for (const entry of body.entries) {
    assertMatch(entry.identifier, URN);
    assertEquals(
      ["displayName", "type", "url", "description"].filter((term) => !entry[term]),
      [],
    );
    assertEquals("data" in entry, false);
    const { length } = entry.representativeQueries;
    assertEquals(length >= 2 && length <= 5, true);
    const { body: retrieved } = await app.json(paths.ardEntry(entry.identifier));
    assertEquals(retrieved, entry);
    if (entry.type === "application/ai-registry+json") continue;
    const answer = await app.request(new URL(entry.url).pathname);
    assertEquals(answer.status, 200, entry.url);
  }
  const home = await app.request("/");
  assertMatch(
    home.headers.get("link")!,
    /<http:\/\/projectory\.test\/.well-known\/ard\.json>; rel="ard"/,
  );
});

Deno.test("POST /ard/search finds and filters only skills that a client can install", async () => {
  await using app = await testApp();
  const content = (what: string) => `# ${what}\n\nInstructions to follow, all of them.\n`;
  const { skill } = await share(app, {
    title: "Changelog writer",
    content: content("Changelogs"),
    tags: ["git"],
  });
  await share(app, { title: "Changelog rules", kind: "agents-md", content: content("Rules") });
  const hidden = await share(app, { title: "Changelog thief", content: content("Theft") });
  await setSkillHidden(app.deps, { slug: hidden.slug, hidden: true });
  const [found, ...others] = await find(app, "find me a skill that writes a changelog");
  assertEquals(others, []);
  const entry = {
    identifier: "urn:air:projectory.test:skills:changelog-writer",
    displayName: "Changelog writer",
    type: SKILL,
    url: skill.install.fileUrl,
    description: `Shared by a visitor, not reviewed: ${skill.summary}`,
    tags: ["git"],
    updatedAt: skill.updatedAt,
  };
  assertEquals(found, { ...entry, score: 100, source: "http://projectory.test/ard" });
  const { body } = await app.json(paths.ardEntry(entry.identifier));
  assertEquals(body, { ...entry, representativeQueries: [skill.title, skill.summary] });
  const filters: [object, number][] = [
    [{ type: [SKILL] }, 1],
    [{ type: SKILL, tags: ["git"] }, 1],
    [{ tags: ["none"] }, 0],
    [{ type: ["application/mcp-server-card+json"] }, 0],
    [{ publisher: ["projectory.test"] }, 1],
    [{ publisher: "example.com" }, 0],
  ];
  for (const [filter, count] of filters) {
    assertEquals((await find(app, "changelog", { filter })).length, count, JSON.stringify(filter));
  }
  // A query can be long.
  assertEquals((await find(app, `changelog writer ${"and more words ".repeat(60)}`)).length, 1);
});

Deno.test("POST /ard/search is paged by pageToken, best first", async () => {
  await using app = await testApp();
  await share(app, { title: "Harbor", summary: "Moor before the tide turns" });
  for (let i = 0; i < 5; i++) {
    await share(app, { title: `Tide ${i}`, content: `Read the tide table, edition ${i}.` });
  }
  await share(app, {
    title: "Boats",
    summary: "Leave as the tide does",
    content: "Row out slowly, and stay near the shore.",
  });
  const seen: string[] = [];
  const scores: number[] = [];
  let pageToken: string | undefined;
  do {
    const { body } = await search(app, { query: { text: "tide" }, pageSize: 2, pageToken });
    for (const { identifier, score } of body.results) {
      seen.push(identifier);
      scores.push(score);
    }
    pageToken = body.pageToken;
  } while (pageToken !== undefined);
  assertEquals([new Set(seen).size, scores], [7, [100, 99, 98, 97, 96, 95, 94]]);
  assert(seen.slice(0, 5).every((identifier) => identifier.includes(":tide-")), seen.join());
});

Deno.test("invalid registry requests get the draft's error codes", async () => {
  await using app = await testApp();
  const bad: unknown[] = [
    {},
    { query: {} },
    { query: { text: " " } },
    { query: { text: "x".repeat(1_001) } },
    { query: { text: "x", filter: { "trustManifest.identity": ["x"] } } },
    { query: { text: "x", filter: { tags: ["a", "b"] } } },
    { query: { text: "x" }, pageSize: 101 },
    { query: { text: "x" }, pageToken: "-1" },
    { query: { text: "x" }, federation: "all" },
  ];
  for (const json of bad) {
    const { status, body } = await search(app, json);
    assertEquals([status, body.errorCode, typeof body.message], [
      400,
      "INVALID_ARGUMENT",
      "string",
    ]);
  }
  const explored = await app.json("/ard/explore", { json: { query: { text: "x" } } });
  assertEquals([explored.status, explored.body.error.code, explored.body.errorCode], [
    501,
    "not_implemented",
    "NOT_IMPLEMENTED",
  ]);
  const broken = await app.json("/ard/search", {
    method: "POST",
    body: "{",
    headers: { "content-type": "application/json" },
  });
  assertEquals([broken.status, broken.body.errorCode], [400, "INVALID_ARGUMENT"]);
  const entry = async (part: string) => {
    const { status, body } = await app.json(`/ard/agents/${part}`);
    return [status, body.errorCode];
  };
  for (
    const part of [
      "x",
      "urn%253Aair%253Aprojectory.test%253Askills%253Ax",
      "%FF",
      "urn:air:projectory.test",
    ]
  ) {
    assertEquals(await entry(part), [400, "INVALID_ARGUMENT"], part);
  }
  for (
    const name of ["projectory.test:skills:none", "example.com:skills:x", "projectory.test:x:y"]
  ) {
    assertEquals(await entry(encodeURIComponent(`urn:air:${name}`)), [404, "NOT_FOUND"], name);
  }
});

Deno.test("/.well-known/mcp/server.json fits the MCP registry's schema, over https too", async () => {
  const read = async (base: string) => {
    await using app = await testApp({ env: { BASE_URL: base } });
    const { body } = await app.json(paths.mcpServerJson);
    assertJson(JSON.stringify(body), SERVER_JSON);
    for (const { src } of body.icons ?? []) {
      assertEquals((await app.request(new URL(src).pathname)).status, 200);
    }
    return body;
  };
  const { name, remotes, icons } = await read("https://example.org");
  assertEquals([name, icons.length], ["org.example/projectory", 1]);
  assertEquals(remotes, [{ type: "streamable-http", url: "https://example.org/api/mcp" }]);
  // The registry accepts only https icons.
  assertEquals((await read("http://projectory.test")).icons, undefined);
});
