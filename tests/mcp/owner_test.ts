import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { WebDouble } from "../fetching/web_double.ts";
import { testApp } from "../support/app.ts";
import { failingKv } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { callTool } from "../support/mcp.ts";

/** A result's error code and the fields that it names. */
// deno-lint-ignore no-explicit-any -- a tool's result
function refusal(result: any) {
  assertEquals(result.isError, true);
  const { error } = JSON.parse(result.content[0].text);
  return [error.code, ...(error.details ?? []).map(({ field }: { field?: string }) => field)];
}

Deno.test("an agent can claim a project over MCP without its key and gets a new one", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug }, editKey: old } = await submit(app, { url: "http://example.test/x" });
  const start = await callTool(app, "update_project", { slug, prove: "start", editKey: null });
  const { editKey, places } = start.structuredContent.claim;
  assertMatch(editKey, /^pik_[\w-]{43}$/);
  assertStringIncludes(start.content[0].text, editKey);
  const check = () => callTool(app, "update_project", { slug, editKey, prove: "check" });
  const early = await check();
  assertEquals(refusal(early)[0], "ownership_not_proven");
  const dns = places.find(({ method }: { method: string }) => method === "dns");
  assertStringIncludes(start.content[0].text, dns.content);
  web.txt[dns.where] = [[dns.content]];
  const { project } = (await check()).structuredContent;
  assertEquals(project.verified.domain, "example.test");
  const edit = (editKey: string) =>
    callTool(app, "update_project", { slug, editKey, fields: { tagline: "Mine" } });
  assertEquals(refusal(await edit(old)), ["bad_edit_key"]);
  assertEquals((await edit(editKey)).structuredContent.project.tagline, "Mine");
});

Deno.test("a stored proof is never reported as failed over MCP, even if storage then fails at startup", async () => {
  const { kv, storage } = await failingKv();
  await using web = new WebDouble();
  await using app = await testApp({ kv, fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test/x" });
  const start = await callTool(app, "update_project", { slug, prove: "start" });
  const { editKey, places } = start.structuredContent.claim;
  const dns = places.find(({ method }: { method: string }) => method === "dns");
  web.txt[dns.where] = [[dns.content]];
  app.deps.catalogue.beginLoad();
  app.deps.store.subscribe((news) => {
    storage.fails ||= news.type === "change" && news.change.event === "verified";
  });
  const { structuredContent } = await callTool(app, "update_project", {
    slug,
    editKey,
    prove: "check",
  });
  assertEquals(storage.fails, true);
  assertEquals(structuredContent?.project.verified.domain, "example.test");
});

Deno.test("problems with a claim over MCP are reported by argument", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test" });
  const call = async (args: object) =>
    refusal(await callTool(app, "update_project", { slug, ...args }));
  assertEquals(await call({ prove: "now" }), ["invalid_input", "prove"]);
  assertEquals(await call({ prove: "check" }), ["bad_edit_key"]);
  assertEquals(await call({ prove: "start", editKey: "pik_short" }), ["invalid_input", "editKey"]);
  assertEquals(await call({ prove: "start", fields: { name: "x" }, withdraw: false }), [
    "invalid_input",
    "fields",
  ]);
  assertEquals(await call({ prove: "check", fields: { name: "x" }, withdraw: true }), [
    "invalid_input",
    "fields",
    "prove",
  ]);
  app.deps.fetcher = null;
  assertEquals(await call({ prove: "start" }), ["fetcher_unavailable"]);
});

Deno.test("get_project shows notice settings and promotion results only with the edit key", async () => {
  await using app = await testApp();
  const { project: { slug }, editKey } = await submit(app, {
    notifyUrl: "https://hooks.example.com",
    description: "Told to its owner too",
  });
  app.clock.advance(3 * DAY_MS);
  const { structuredContent: { project, owner }, content } = await callTool(app, "get_project", {
    slug,
    editKey,
  });
  assertEquals(project.description, "Told to its owner too");
  assertStringIncludes(content[0].text, project.description);
  assertEquals(owner.notices.channels.webhook.isSet, true);
  assertMatch(owner.notices.webhookSecret, /^whsec_/);
  const { ok: _, days: __, ...report } =
    (await app.json(`/api/v1/projects/${slug}/promotion-report`, { editKey })).body;
  const { notices: _notices, ...told } = owner;
  assertEquals(told, report);
  assertStringIncludes(content[0].text, "0 clicks and 0 votes in ");
  assertStringIncludes(content[0].text, "this site sends none");
  await using notifying = await testApp({ env: { FETCHER_PORT: "8001" } });
  const own = await submit(notifying, {});
  const asked = await callTool(notifying, "get_project", {
    slug: own.project.slug,
    editKey: own.editKey,
  });
  const { webhookSecret } = asked.structuredContent.owner.notices;
  assertStringIncludes(asked.content[0].text, `webhook off. Webhook secret: ${webhookSecret}`);
  const { structuredContent } = await callTool(app, "get_project", { slug });
  assertEquals(structuredContent.owner, undefined);
  assertEquals(refusal(await callTool(app, "get_project", { slug, editKey: "pik_x" })), [
    "bad_edit_key",
  ]);
});
