import { assertEquals } from "@std/assert";
import { MINUTE_MS } from "@/lib/clock.ts";
import { testApp } from "../support/app.ts";
import { addressOf, invalidFields } from "../support/listings.ts";
import { share, skillBody } from "../support/skills.ts";

const path = "/api/v1/skills";
const edit = (json: unknown, editKey: string) => ({ method: "PATCH", json, editKey });

Deno.test("PATCH /skills/{slug} returns invalid_input for no fields, unknown or read-only ones, and broken rules", async () => {
  await using app = await testApp();
  const { slug, editKey } = await share(app);
  const table: [Record<string, unknown>, string[]][] = [
    [{}, ["body"]],
    [{ votes: 5, copies: 1, slug: "x", state: "live", keyHash: "x" }, [
      "votes",
      "copies",
      "slug",
      "state",
      "keyHash",
    ]],
    [{ title: null, content: null }, ["title", "content"]],
    [{ content: "short" }, ["content"]],
    [{ origin: "third-party" }, ["license", "sourceUrl"]],
    [{ origin: "third-party", license: "MIT" }, ["sourceUrl"]],
  ];
  for (const [patch, problems] of table) {
    const answer = await app.json(`${path}/${slug}`, edit(patch, editKey));
    assertEquals([answer.status, invalidFields(answer).sort()], [400, problems.sort()]);
  }
});

Deno.test("PATCH /skills/{slug} returns invalid_input for removing the source of third-party content", async () => {
  await using app = await testApp();
  const { slug, editKey } = await share(app, {
    origin: "third-party",
    license: "MIT",
    sourceUrl: "https://example.com",
  });
  for (const field of ["license", "sourceUrl"]) {
    const answer = await app.json(`${path}/${slug}`, edit({ [field]: null }, editKey));
    assertEquals([answer.status, invalidFields(answer)], [400, [field]]);
  }
  const both = await app.json(
    `${path}/${slug}`,
    edit({ origin: "original", license: null }, editKey),
  );
  assertEquals([both.status, both.body.skill.origin, both.body.skill.license], [
    200,
    "original",
    null,
  ]);
});

Deno.test("PATCH /skills/{slug} to third-party removes the default author", async () => {
  await using app = await testApp();
  const source = { origin: "third-party", license: "MIT", sourceUrl: "https://example.com" };
  for (
    const [given, patch, author] of [
      [{}, source, null],
      [{}, { ...source, author: "Ada" }, "Ada"],
      [{ author: "Ada" }, source, "Ada"],
      [{}, { summary: "Better" }, "Scout"],
    ] as const
  ) {
    const { slug, editKey } = await share(app, given, { headers: { "x-agent-name": "Scout" } });
    const { body } = await app.json(`${path}/${slug}`, edit(patch, editKey));
    assertEquals([body.skill.author, body.skill.submittedBy], [author, "Scout"]);
  }
});

Deno.test("PATCH /skills/{slug} changes only given fields, null clears, and the slug stays", async () => {
  await using app = await testApp();
  const { slug, editKey, skill } = await share(app, {
    category: "git",
    tags: ["a"],
    worksWith: ["codex"],
  });
  app.clock.advance(MINUTE_MS);
  const answer = await app.json(`${path}/${slug}`, {
    method: "PATCH",
    json: { title: "Renamed", category: null },
    headers: { authorization: `Bearer ${editKey}` },
  });
  assertEquals(answer.status, 200);
  assertEquals(answer.body.skill, {
    ...skill,
    title: "Renamed",
    category: null,
    updatedAt: "2026-03-04T12:01:00.000Z",
  });
  assertEquals((await app.json(`${path}?q=renamed`)).body.total, 1);
  assertEquals((await app.json(`${path}?category=git`)).body.total, 0);
});

Deno.test("PATCH /skills/{slug} moves the content reservation: the old content is free, the new one is taken", async () => {
  await using app = await testApp();
  const old = "The old content of this skill";
  const { slug, editKey } = await share(app, { content: old });
  const other = await share(app, { content: "The content of another skill" });
  const duplicate = await app.json(
    `${path}/${slug}`,
    edit({ content: "The content of another skill\r\n" }, editKey),
  );
  assertEquals([duplicate.status, duplicate.body.error.code], [409, "duplicate_skill"]);
  assertEquals(duplicate.body.error.details, { slug: other.slug });

  const fresh = "Quite new content with `npm ci` in it";
  const moved = await app.json(`${path}/${slug}`, edit({ content: fresh }, editKey));
  assertEquals([moved.status, moved.body.skill.facts.commands.total], [200, 1]);
  const held = await app.json(path, {
    json: skillBody({ content: fresh }),
    address: addressOf(501),
  });
  assertEquals([held.status, held.body.error.details], [409, { slug }]);
  await share(app, { content: old });
  // Six bytes of JSON per character, so the body has 120 kB.
  const long = "\u0001".repeat(20_000);
  const escaped = await app.json(`${path}/${slug}`, edit({ content: long }, editKey));
  assertEquals([escaped.status, escaped.body.skill?.content], [200, long]);
  await app.json(`${path}/${slug}`, edit({ content: fresh }, editKey));
  const whitespace = await app.json(`${path}/${slug}`, edit({ content: `${fresh}\n` }, editKey));
  assertEquals([whitespace.status, whitespace.body.skill.content], [200, `${fresh}\n`]);
});

Deno.test("PATCH /skills/{slug} lets only one of several skills take the same new content", async () => {
  await using app = await testApp();
  const skills = await Promise.all(Array.from({ length: 8 }, () => share(app)));
  const content = "What everyone wants to have now";
  const answers = await Promise.all(
    skills.map(({ slug, editKey }, i) =>
      app.json(`${path}/${slug}`, { ...edit({ content }, editKey), address: addressOf(i) })
    ),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
});
