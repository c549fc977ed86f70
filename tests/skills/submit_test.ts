import { assert, assertEquals, assertMatch } from "@std/assert";
import { verify } from "@/lib/backup/verify.ts";
import { testApp } from "../support/app.ts";
import { addressOf, invalidFields } from "../support/listings.ts";
import { share, skillBody } from "../support/skills.ts";

const path = "/api/v1/skills";

Deno.test("POST /skills reports every problem at once", async () => {
  await using app = await testApp();
  const answer = await app.json(path, {
    json: {
      title: "x".repeat(81),
      summary: "x".repeat(201),
      kind: "poem",
      content: "x".repeat(19),
      category: "C++",
      worksWith: ["abacus"],
      tags: ["no!", ..."abcdef"],
      installHint: "x".repeat(501),
      author: "x\ny",
      license: "My Own License 1.0",
      origin: "third-party",
    },
    headers: { "x-agent-name": "z".repeat(61) },
  });
  assertEquals(invalidFields(answer), [
    "X-Agent-Name",
    "title",
    "summary",
    "kind",
    "content",
    "category",
    "worksWith.0",
    "tags.0",
    "tags",
    "installHint",
    "author",
    "license",
    "sourceUrl",
  ]);
});

const RULES: [string, Record<string, unknown>, string[]][] = [
  ["the body is empty", {
    title: undefined,
    summary: undefined,
    kind: undefined,
    content: undefined,
  }, ["title", "summary", "kind", "content"]],
  ["title is blank", { title: " \u200B " }, ["title"]],
  ["title has 81 characters", { title: "x".repeat(81) }, ["title"]],
  ["title has a line break", { title: "a\nb" }, ["title"]],
  ["summary has 201 characters", { summary: "x".repeat(201) }, ["summary"]],
  ["content has 19 characters", { content: "x".repeat(19) }, ["content"]],
  ["content has 20,001 characters", { content: "x".repeat(20_001) }, ["content"]],
  ["content has 20,001 characters of two units", { content: "😀".repeat(20_001) }, ["content"]],
  ["content has 19 characters of two units", { content: "😀".repeat(19) }, ["content"]],
  ["content is blank", { content: " \n".repeat(20) }, ["content"]],
  ["content has a lone surrogate", { content: "x".repeat(20) + "\uD800" }, ["content"]],
  ["content isn't a string", { content: 5 }, ["content"]],
  ["license isn't an SPDX identifier", { license: "MIT-ish" }, ["license"]],
  ["license isn't in the SPDX list", { license: "MIT+" }, ["license"]],
  ["license is an expression of two identifiers", { license: "MIT OR Apache-2.0" }, ["license"]],
  ["license is a property name of every object", { license: "constructor" }, ["license"]],
  ["origin is unknown", { origin: "elsewhere" }, ["origin"]],
  ["third-party content has neither license nor source", { origin: "third-party" }, [
    "license",
    "sourceUrl",
  ]],
  ["third-party content has no source", { origin: "third-party", license: "MIT" }, ["sourceUrl"]],
  ["third-party content has no license", {
    origin: "third-party",
    sourceUrl: "https://example.com/x",
  }, ["license"]],
  ["source isn't a web address", { sourceUrl: "javascript:alert(1)" }, ["sourceUrl"]],
  ["source is a private host", { sourceUrl: "http://192.168.0.1/" }, ["sourceUrl"]],
  ["there are seven tags", { tags: ["a", "b", "c", "d", "e", "f", "g"] }, ["tags"]],
];

for (const [condition, fields, problems] of RULES) {
  Deno.test(`POST /skills returns invalid_input if ${condition}`, async () => {
    await using app = await testApp();
    const answer = await app.json(path, { json: skillBody(fields) });
    assertEquals(answer.status, 400);
    assertEquals(invalidFields(answer), problems);
  });
}

Deno.test("POST /skills accepts every kind of SPDX identifier in any case and stores the list's spelling", async () => {
  await using app = await testApp();
  const table: (readonly [license: string, stored: string])[] = [
    ["mit", "MIT"],
    ["cc-by-sa-4.0", "CC-BY-SA-4.0"],
    ["GPL-2.0", "GPL-2.0"],
    ...["GPL-1.0+", "GPL-2.0+", "GPL-3.0+", "LGPL-2.0+", "LGPL-2.1+", "LGPL-3.0+"]
      .map((id) => [id.toLowerCase(), id] as const),
    ["GPL-2.0-or-later", "GPL-2.0-or-later"],
    [" Apache-2.0 ", "Apache-2.0"],
  ];
  for (const [license, stored] of table) {
    assertEquals((await share(app, { license })).skill.license, stored);
  }
});

Deno.test("POST /skills accepts each field at its limit", async () => {
  await using app = await testApp();
  const { skill } = await share(app, {
    title: "t".repeat(80),
    summary: "s".repeat(200),
    content: "c".repeat(20),
    category: "c".repeat(24),
    tags: ["a", "b", "c", "d", "e", "f".repeat(24)],
    installHint: "h".repeat(500),
    author: "a".repeat(60),
    sourceUrl: "https://example.com/" + "u".repeat(480),
  }, { headers: { "x-agent-name": "n".repeat(60) } });
  const { title, summary, characters, tags, sourceUrl, submittedBy } = skill;
  const lengths = [title, summary, tags, sourceUrl, submittedBy].map(({ length }) => length);
  assertEquals([...lengths, characters], [80, 200, 6, 500, 60, 20]);
  const longest = await share(app, { content: "c".repeat(20_000) });
  assertEquals(longest.skill.characters, 20_000);
  const widest = await share(app, { content: "語".repeat(20_000) });
  assertEquals(widest.skill.characters, 20_000);
});

Deno.test("POST /skills normalizes category and tags, and lists find them in either form", async () => {
  await using app = await testApp();
  const { skill } = await share(app, {
    category: " Developer Tools ",
    tags: ["Git", "code_review", "git", "Pull  requests"],
  });
  assertEquals(skill.category, "developer-tools");
  assertEquals(skill.tags, ["git", "code-review", "pull-requests"]);
  for (const query of ["category=Developer+Tools", "category=developer-tools", "tag=Git"]) {
    assertEquals((await app.json(`${path}?${query}`)).body.total, 1, query);
  }
});

Deno.test("POST /skills returns duplicate_skill with details.slug for identical content", async () => {
  await using app = await testApp();
  const content = "# Do this\n\nThen do that, slowly.\n";
  const { slug } = await share(app, { title: "First", content });
  for (
    const same of [
      content,
      content.replaceAll("\n", "\r\n"),
      content.replaceAll("\n", "\r"),
      `\n  ${content}\n\n`,
    ]
  ) {
    const answer = await app.json(path, { json: skillBody({ title: "Second", content: same }) });
    assertEquals([answer.status, answer.body.error.code], [409, "duplicate_skill"]);
    assertEquals(answer.body.error.details, { slug });
  }
  for (const other of [content + "!", content.toUpperCase(), content.replace("\n\n", "\n")]) {
    await share(app, { content: other });
  }
});

Deno.test("POST /skills accepts one of 20 identical contents and stores one record", async () => {
  await using app = await testApp();
  const content = "The very same content, twenty times over";
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      (_, i) =>
        app.json(path, { json: skillBody({ title: `T ${i}`, content }), address: addressOf(i) }),
    ),
  );
  const won = answers.filter(({ status }) => status === 201);
  assertEquals(won.length, 1);
  for (const { status, body } of answers) {
    if (status !== 201) {
      assertEquals([status, body.error.code], [409, "duplicate_skill"]);
      assertEquals(body.error.details.slug, won[0]!.body.skill.slug);
    }
  }
  assertEquals((await app.json(path)).body.total, 1);
});

Deno.test("POST /skills gives 12 concurrent equal titles 12 slugs", async () => {
  await using app = await testApp();
  const shared = await Promise.all(Array.from({ length: 12 }, () => share(app)));
  const slugs = shared.map(({ slug }) => slug).sort();
  assertEquals(new Set(slugs).size, 12);
  for (const slug of slugs) assertMatch(slug, /^changelog-writer(-\d+)?$/);
});

Deno.test("POST /skills returns 201 with the skill, its facts and a one-time edit key", async () => {
  await using app = await testApp();
  const content = "Run `npm test`, see https://example.com\nSet API_KEY\u200B.";
  const answer = await app.json(path, {
    json: {
      title: " Test\u200B runner ",
      summary: "Runs the tests",
      kind: "agents-md",
      content,
      category: "testing",
      worksWith: ["codex", "claude-code", "codex"],
      tags: ["tests", "ci", "tests"],
      installHint: "One\r\nTwo",
      license: "apache-2.0",
      origin: "third-party",
      sourceUrl: "https://example.com/source",
      author: "Ada",
      votes: 99,
      copies: 99,
      slug: "mine",
      state: "hidden",
    },
    headers: { "x-agent-name": "Zo\u00C3\u00A9" },
  });
  assertEquals(answer.status, 201);
  const { skill, editKey, editKeyNotice } = answer.body;
  assertMatch(editKey, /^pik_[A-Za-z0-9_-]{43}$/);
  assert(editKeyNotice.length > 0);
  assertEquals(answer.headers.get("location"), skill.apiUrl);
  assertEquals(answer.headers.get("cache-control"), "private, no-store");
  const { facts, install, sha256, history, ...rest } = skill;
  assertEquals(history.map((version: { sha256: string }) => version.sha256), [sha256]);
  assertMatch(sha256, /^[0-9a-f]{64}$/);
  assertEquals(rest, {
    slug: "test-runner",
    title: "Test runner",
    summary: "Runs the tests",
    kind: "agents-md",
    content,
    category: "testing",
    worksWith: ["codex", "claude-code"],
    tags: ["tests", "ci"],
    installHint: "One\nTwo",
    author: "Ada",
    license: "Apache-2.0",
    origin: "third-party",
    sourceUrl: "https://example.com/source",
    submittedBy: "Zoé",
    signedBy: null,
    verified: null,
    votes: 0,
    copies: 0,
    characters: content.length,
    installPath: "AGENTS.md",
    createdAt: "2026-03-04T12:00:00.000Z",
    updatedAt: "2026-03-04T12:00:00.000Z",
    page: "http://projectory.test/skills/test-runner",
    apiUrl: "http://projectory.test/api/v1/skills/test-runner",
    rawUrl: "http://projectory.test/api/v1/skills/test-runner?format=raw",
  });
  const pinned = `${skill.rawUrl}&sha256=${sha256}`;
  assertEquals(install.command, `{ echo; curl -fsSL '${pinned}'; } >> AGENTS.md`);
  assertEquals(
    [facts.commands.total, facts.urls.total, facts.secrets.total, facts.invisible.total],
    [1, 1, 1, 1],
  );
});

Deno.test("POST /skills uses X-Agent-Name as the author of original content, never of third-party content", async () => {
  await using app = await testApp();
  const headers = { "x-agent-name": "Scout" };
  const own = await share(app, {}, { headers });
  assertEquals([own.skill.author, own.skill.submittedBy], ["Scout", "Scout"]);
  const others = await share(app, {
    origin: "third-party",
    license: "MIT",
    sourceUrl: "https://example.com",
  }, { headers });
  assertEquals([others.skill.author, others.skill.submittedBy], [null, "Scout"]);
});

Deno.test("POST /skills gives titles in any script a slug, and never a page's", async () => {
  await using app = await testApp();
  const slugs = [];
  for (const title of ["Submit", "日本語", "🚀", "🚀", "Ünder $(rm -rf /)", "../../x"]) {
    slugs.push((await share(app, { title })).slug);
  }
  assertEquals(slugs, ["submit-skill", "ribenyu", "skill", "skill-2", "under-rm-rf", "x"]);
});

Deno.test("content of 20,000 emoji can be shared, edited and versioned unchanged", async () => {
  await using app = await testApp();
  const [first, second] = ["😀", "🎉"].map((emoji) => emoji.repeat(20_000)) as [string, string];
  const headers = { "content-type": "application/json" };
  // Sent as the longest possible JSON for this content.
  const body = JSON.stringify(skillBody({ content: first }))
    .replaceAll("😀", "\\ud83d\\ude00");
  assert(body.length > 240_000);
  const { status, body: shared } = await app.json(path, { method: "POST", body, headers });
  assertEquals([status, shared.skill?.characters], [201, 20_000]);
  const { slug } = shared.skill;
  const raw = (query = "") => app.text(`${path}/${slug}?format=raw${query}`);
  assertEquals(await raw(), first);
  const edited = await app.json(`${path}/${slug}`, {
    method: "PATCH",
    json: { content: second },
    editKey: shared.editKey,
  });
  assertEquals([edited.status, edited.body.skill.characters], [200, 20_000]);
  assertEquals(await raw(), second);
  assertEquals(await raw(`&sha256=${shared.skill.sha256}`), first);
  assertEquals(await verify(app.deps.store), []);
});

Deno.test("POST /skills?dryRun=1 returns what would be shared and stores and counts nothing", async () => {
  await using app = await testApp();
  for (const slug of ["trial", "trial-2"]) {
    const json = skillBody({ title: "Trial" });
    for (let n = 0; n < 7; n++) {
      const trial = await app.json(`${path}?dryRun=1`, { json });
      assertEquals([trial.status, trial.body.dryRun, trial.body.editKey], [200, true, undefined]);
      assertEquals(trial.body.skill.slug, slug);
    }
    assertEquals((await app.json(`${path}/${slug}`)).status, 404);
    const trial = (await app.json(`${path}?dryRun=1`, { json })).body.skill;
    const { status, body: { skill } } = await app.json(path, { json });
    assertEquals([status, skill], [201, trial]);
    const again = await app.json(`${path}?dryRun=1`, { json });
    assertEquals([again.status, again.body.error.code], [409, "duplicate_skill"]);
    assertEquals(again.body.error.details, { slug });
  }
  const misspelled = await app.json(`${path}?dryRun=1`, {
    json: { ...skillBody({ content: "Another skill, long enough" }), works_with: ["codex"] },
  });
  assertEquals(misspelled.body.ignoredFields, ["works_with"]);
  const json = skillBody();
  assertEquals(invalidFields(await app.json(`${path}?dryRun=2`, { json })), ["dryRun"]);
});
