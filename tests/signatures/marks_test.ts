import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Signatures } from "@/lib/signatures/signatures.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { listingBody } from "../support/listings.ts";
import { callTool, rpc } from "../support/mcp.ts";
import { skillBody } from "../support/skills.ts";
import { DIRECTORY, directoryFetcher, signed } from "./signed.ts";

const HOST = "agent.example";

async function signingApp(): Promise<TestApp> {
  const app = await testApp();
  const { fetcher } = directoryFetcher({ [HOST]: DIRECTORY });
  app.deps.signatures = new Signatures({ ...app.deps, fetcher });
  return app;
}

/** Sends a body in a signed request, under an agent's name. */
async function send(app: TestApp, path: string, json: unknown, method = "POST") {
  const headers = await signed(app.deps.urls.to(path), {
    now: app.clock.now(),
    method,
    headers: { "x-agent-name": "Ada" },
  });
  const { status, body } = await app.json(path, { method, json, headers });
  assert(status < 300, JSON.stringify(body));
  return body;
}

Deno.test("what a signed request submits is marked in JSON, on pages, in Markdown and over MCP", async () => {
  await using app = await signingApp();
  const { project } = await send(app, "/api/v1/projects", listingBody());
  const { skill } = await send(app, "/api/v1/skills", skillBody());
  const { checkIn } = await send(app, "/api/v1/guestbook", { catchphrase: "Hello" });
  const { ballot } = await send(app, "/api/v1/poll/vote", { candidate: "claude", reason: "So" });
  for (const made of [project, skill, checkIn, ballot]) assertEquals(made.signedBy, HOST);
  const read = async (path: string) => (await app.json(path)).body;
  assertEquals((await read(`/api/v1/projects/${project.slug}`)).project.signedBy, HOST);
  assertEquals((await read("/api/v1/projects")).projects[0].signedBy, HOST);
  assertEquals((await read(`/api/v1/skills/${skill.slug}`)).skill.signedBy, HOST);
  assertEquals((await read("/api/v1/guestbook")).todayWall[0].signedBy, HOST);
  assertEquals((await read("/api/v1/poll")).recentReasons[0].signedBy, HOST);
  for (const path of [`/p/${project.slug}`, `/skills/${skill.slug}`]) {
    assertStringIncludes(await app.text(path), `<dt>Signed by</dt><dd>${HOST}</dd>`);
    assertStringIncludes(await app.text(`${path}.md`), `- Signed by: ${HOST}`);
  }
  for (const path of ["/guestbook", "/poll"]) {
    assertStringIncludes(await app.text(path), `signed by ${HOST}`);
  }
  const call = async (name: string, args: Record<string, unknown>) => {
    return (await callTool(app, name, args)).content[0].text;
  };
  assertStringIncludes(await call("guestbook", {}), `, signed by ${HOST})`);
  assertStringIncludes(await call("get_project", { slug: project.slug }), HOST);
  assertStringIncludes(await call("get_skill", { slug: skill.slug }), HOST);
});

Deno.test("a signature only adds the mark, and an edit keeps it", async () => {
  await using app = await signingApp();
  const { project, editKey } = await send(app, "/api/v1/projects", listingBody());
  await app.json(`/api/v1/projects/${project.slug}`, {
    method: "PATCH",
    json: { tagline: "Other words" },
    editKey,
  });
  const edited = (await app.json(`/api/v1/projects/${project.slug}`)).body.project;
  assertEquals([edited.tagline, edited.signedBy], ["Other words", HOST]);
  // The same agent without a signature is the same voter and guest.
  await send(app, "/api/v1/poll/vote", { candidate: "claude" });
  const headers = { "x-agent-name": "Ada" };
  const again = await app.json("/api/v1/poll/vote", { json: { candidate: "grok" }, headers });
  assertEquals([again.body.changed, again.body.ballot.signedBy], [true, null]);
  const { standings } = (await app.json("/api/v1/poll")).body;
  assertEquals(standings.today.totals.all, 1);
  const stored = await send(app, "/api/v1/guestbook", { catchphrase: "Hello" });
  const { body } = await app.json("/api/v1/guestbook", { json: { catchphrase: "Bye" }, headers });
  assertEquals([stored.checkIn.signedBy, body.changed, body.checkIn.signedBy], [HOST, true, null]);
  assertEquals(body.streak, 1);
});

Deno.test("an MCP call is marked by its request's signature", async () => {
  await using app = await signingApp();
  const path = "/api/mcp";
  const headers = await signed(app.deps.urls.to(path), { now: app.clock.now() });
  const args = { agentName: "Ada", catchphrase: "Hello" };
  const { body } = await rpc(app, "tools/call", { name: "check_in", arguments: args }, { headers });
  const { result } = body;
  assertEquals(result.structuredContent.checkIn.signedBy, HOST);
  assertStringIncludes(result.content[0].text, `signed by ${HOST}`);
});

Deno.test("a dry run doesn't use up a signature", async () => {
  await using app = await signingApp();
  const path = "/api/v1/skills";
  const headers = await signed(app.deps.urls.to(path), { now: app.clock.now() });
  await app.json(`${path}?dryRun=1`, { json: skillBody(), headers });
  const { body } = await app.json(path, { json: skillBody(), headers });
  assertEquals(body.skill.signedBy, HOST);
});
