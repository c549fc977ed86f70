import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { noticeKeys } from "@/lib/notices/keys.ts";
import { ownerKeys } from "@/lib/owners/keys.ts";
import { recheckOwners } from "@/lib/owners/verification.ts";
import { WebDouble } from "../fetching/web_double.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { operator } from "../support/operator.ts";
import { share } from "../support/skills.ts";

const SOURCE = "http://example.test/skills/answer.md";
const at = (slug: string) => `/api/v1/skills/${slug}`;

/** Claims a skill and publishes the token in its source's DNS. */
async function published(app: TestApp, web: WebDouble, slug: string) {
  const { body: claim } = await app.json(`/api/v1/skills/${slug}/verification`, { method: "POST" });
  const place = claim.places.find(({ method }: { method: string }) => method === "dns");
  web.txt[place.where] = [[place.content]];
  return claim;
}

const check = (app: TestApp, slug: string, editKey: string) =>
  app.json(`/api/v1/skills/${slug}/verification/check`, { method: "POST", editKey });

const edit = async (app: TestApp, slug: string, editKey: string, json: object) =>
  (await app.json(at(slug), { method: "PATCH", json, editKey })).status;

Deno.test("a skill's owner can prove its source, gets a new edit key and shows as verified", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  // A listing with the same slug is another entry.
  await submit(app, { name: "Answer well", notifyUrl: "https://hooks.example.com" });
  const { skill: { slug }, editKey: old } = await share(app, {
    title: "Answer well",
    sourceUrl: SOURCE,
  });
  assertEquals(slug, "answer-well");
  const page = await app.text(`/skills/${slug}`);
  assertStringIncludes(page, `href="/skills/${slug}/claim">Claim it</a>`);
  const claim = await published(app, web, slug);
  assertEquals(claim.checkUrl, `http://projectory.test${at(slug)}/verification/check`);
  const { status, body: { skill } } = await check(app, slug, claim.editKey);
  assertEquals([status, skill.verified.domain, skill.verified.method], [
    200,
    "example.test",
    "dns",
  ]);
  assertEquals(await edit(app, slug, old, { summary: "Theirs" }), 403);
  assertEquals(await edit(app, slug, claim.editKey, { summary: "Mine" }), 200);
  const markdown = await app.text(`${at(slug)}?format=md`);
  assertStringIncludes(markdown, "Verified owner: example.test, since 2026-03-04");
  const shown = await app.text(`/skills/${slug}`);
  assertMatch(shown, /Verified owner<\/dt>\s*<dd[^>]*>example\.test, since/);
  const project = await app.json(`/api/v1/projects/${slug}`);
  assertEquals(project.body.project.verified, null);
  const notices = app.deps.store.list({ prefix: noticeKeys.all });
  assertEquals(await Array.fromAsync(notices), []);
  const { changes } = (await app.json("/api/v1/changes")).body;
  assert(
    changes.some(({ kind, event }: { kind: string; event: string }) =>
      kind === "skill" && event === "verified"
    ),
  );
});

Deno.test("claiming a skill needs a source, and its token doesn't work for a listing", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const bare = await share(app);
  const { body: { error } } = await app.json(`${at(bare.skill.slug)}/verification`, {
    method: "POST",
  });
  assertEquals(error.code, "invalid_input");
  assertMatch(error.details[0].message, /has no source URL/);
  const github = await share(app, {
    title: "From code",
    content: "Quote the source of each claim, and say where you found it.",
    sourceUrl: "https://github.com/ann/skills/blob/main/answer/SKILL.md",
  });
  const { body: { places } } = await app.json(`${at(github.skill.slug)}/verification`, {
    method: "POST",
  });
  assertEquals(places.map(({ where }: { where: string }) => where), [
    "https://raw.githubusercontent.com/ann/skills/HEAD/projectory.txt",
  ]);
  const { project } = await submit(app, { name: "Twin", url: "http://example.test" });
  const twin = await share(app, {
    title: "Twin",
    content: "Answer in one sentence, and offer to say more.",
    sourceUrl: SOURCE,
  });
  assertEquals(twin.skill.slug, project.slug);
  const claim = await published(app, web, project.slug);
  const path = `/api/v1/projects/${project.slug}/verification/check`;
  const other = await app.json(path, { method: "POST", editKey: claim.editKey });
  assertEquals(other.body.error.code, "ownership_not_proven");
});

Deno.test("a skill's proof ends with a new source, three failures, a new key or a withdrawal", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { skill: { slug, title } } = await share(app, { sourceUrl: SOURCE });
  const contactEmail = "ann@example.test";
  assertEquals((await submit(app, { name: title, contactEmail })).project.slug, slug);
  const verified = async () => (await app.json(at(slug))).body.skill?.verified ?? null;
  const prove = async () => {
    const { editKey } = await published(app, web, slug);
    await check(app, slug, editKey);
    assert(await verified());
    return editKey as string;
  };
  const editKey = await prove();
  assertEquals(await edit(app, slug, editKey, { sourceUrl: "http://example.test/moved" }), 200);
  assert(await verified());
  assertEquals(await edit(app, slug, editKey, { sourceUrl: null }), 200);
  assertEquals(await verified(), null);
  assertEquals(await edit(app, slug, editKey, { sourceUrl: SOURCE }), 200);

  await prove();
  delete web.txt["_projectory.example.test"];
  for (let week = 0; week < 3; week++) {
    assert(await verified());
    app.clock.advance(7 * DAY_MS);
    await recheckOwners(app.deps, app.clock.now());
  }
  assertEquals(await verified(), null);
  const notices = app.deps.store.list({ prefix: noticeKeys.all });
  assertEquals(await Array.fromAsync(notices), [], "the project with the same slug isn't told");

  await prove();
  await operator(app, "skills", "rekey", slug);
  assertEquals(await verified(), null);

  const last = await prove();
  await app.json(at(slug), { method: "DELETE", editKey: last });
  const left = app.deps.store.list({ prefix: ownerKeys.checks.skill });
  assertEquals(await Array.fromAsync(left), []);
});

Deno.test("people can claim a skill on a page without JavaScript", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { skill: { slug } } = await share(app, { sourceUrl: SOURCE });
  const path = `/skills/${slug}/claim`;
  const post = async (form: Record<string, string>) => {
    const answer = await app.request(path, { form });
    return { status: answer.status, text: await answer.text() };
  };
  assertStringIncludes(await app.text(path), "names as its source");
  const begun = await post({ start: "1" });
  const editKey = /pik_[\w-]{43}/.exec(begun.text)![0];
  const missed = await post({ editKey });
  assertEquals(missed.status, 409);
  assertStringIncludes(missed.text, "We didn&#39;t find the token");
  const token = /projectory-verification=([\w-]+)/.exec(begun.text)![0];
  web.txt["_projectory.example.test"] = [[token]];
  const done = await post({ editKey });
  assertEquals(done.status, 200);
  assertStringIncludes(done.text, "It now shows a verified owner");
  assertStringIncludes(done.text, `href="/skills/${slug}/edit"`);
});

Deno.test("a stored proof is never reported as failed, even if storage then fails", async () => {
  const plain = await Deno.openKv(":memory:");
  let isDown = false;
  const kv = kvWith(plain, {
    before() {
      if (isDown) throw new Error("connection lost");
    },
  });
  await using web = new WebDouble();
  await using app = await testApp({ kv, fetcher: web.fetcher });
  const { skill: { slug } } = await share(app, { sourceUrl: SOURCE });
  const claim = await published(app, web, slug);
  app.deps.store.subscribe((news) => {
    isDown ||= news.type === "change" && news.change.event === "verified";
  });
  const { status, body } = await check(app, slug, claim.editKey);
  assertEquals([isDown, status, body.skill?.verified.domain], [true, 200, "example.test"]);
  isDown = false;
  const page = `/skills/${slug}/claim`;
  const { editKey } = await published(app, web, slug);
  const proven = await app.request(page, { form: { editKey } });
  assertEquals([isDown, proven.status], [true, 200]);
  assertStringIncludes(await proven.text(), "example.test");
  isDown = false;
});
