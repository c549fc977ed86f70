import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { listingKeys } from "@/lib/listings/keys.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { setSwitches } from "@/lib/switches.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { KINDS } from "../support/kinds.ts";
import { kvWith } from "../support/kv_with.ts";
import { invalidFields, listingBody, submit } from "../support/listings.ts";
import { skillBody } from "../support/skills.ts";

const path = "/api/v1/projects";

Deno.test("POST /projects and /skills return invalid_json if the body isn't a JSON object", async () => {
  await using app = await testApp();
  for (const body of ["", "{", "[]", "null", '"text"', "1", "\u0000", '{"a":1}}', "name=Ada"]) {
    for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
      for (const { list } of KINDS) {
        const headers = { "content-type": type };
        const answer = await app.json(list, { method: "POST", body, headers });
        assertEquals([answer.status, answer.body.error.code], [400, "invalid_json"], type + body);
      }
    }
  }
});

Deno.test("POST /projects returns unsupported_media_type for JSON with another content type or an encoding", async () => {
  await using app = await testApp();
  const body = JSON.stringify(listingBody());
  const wrong: Record<string, string>[] = [
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "application/json", "content-encoding": "gzip" },
  ];
  for (const headers of wrong) {
    const answer = await app.json(path, { method: "POST", body, headers });
    assertEquals([answer.status, answer.body.error.code], [415, "unsupported_media_type"]);
  }
});

Deno.test("POST /projects returns payload_too_large for more than 64 KiB, with or without a length", async () => {
  await using app = await testApp();
  const json = JSON.stringify(listingBody());
  const big = json + " ".repeat(64 * 1024 + 1 - json.length);
  const stream = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(big));
        controller.close();
      },
    });
  for (const body of [big, stream()]) {
    const answer = await app.json(path, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    assertEquals([answer.status, answer.body.error.code], [413, "payload_too_large"]);
  }
  const most = await app.request(path, {
    method: "POST",
    body: big.slice(0, -1),
    headers: { "content-type": "application/json" },
  });
  assertEquals(most.status, 201);
});

Deno.test("POST /projects reports every problem at once", async () => {
  await using app = await testApp();
  const answer = await app.json(path, {
    json: {
      name: "x".repeat(61),
      url: "javascript:alert(1)",
      description: "x".repeat(2001),
      category: "nonsense",
      tags: ["Upper", "fine"],
      builtWith: ["abacus", ..."abcdef"],
      pricing: "gratis",
      accent: "#123456",
      logoUrl: "data:image/png;base64,AA",
      repoUrl: "https://user:secret@example.com/",
      contactEmail: "nobody",
      submittedBy: "y".repeat(61),
    },
    headers: { "x-agent-name": "z".repeat(61) },
  });
  assertEquals(invalidFields(answer), [
    "X-Agent-Name",
    "name",
    "url",
    "tagline",
    "description",
    "category",
    "tags.0",
    ...[0, 1, 2, 3, 4, 5, 6].map((i) => `builtWith.${i}`),
    "builtWith",
    "pricing",
    "accent",
    "logoUrl",
    "repoUrl",
    "contactEmail",
    "submittedBy",
  ]);
});

Deno.test("POST /projects accepts email addresses in any script and nothing else", async () => {
  await using app = await testApp();
  const parse = async (contactEmail: string) => {
    const json = { name: "N", url: "https://example.com", tagline: "T", contactEmail };
    return (await app.json(`${path}?dryRun=1`, { json })).status;
  };
  for (
    const email of [
      "me@xn--80a1acny.xn--p1ai",
      "я@почта.рф",
      "jörg@müller.de",
      "用户@例子.广告",
      "o'brien&co/sales=1@example.com",
      " ada@example.co.uk ",
    ]
  ) assertEquals(await parse(email), 200, email);
  for (
    const text of [
      "ada",
      "ada@example",
      "@example.com",
      "ada@.com",
      "ada@example..com",
      "ada@192.0.2.1",
      "ada@b@example.com",
      "Ada <ada@example.com>",
      "mailto:ada@example.com",
      "ada@example.com, bo@example.com",
      "ada@example.com\nBcc: bo@example.com",
      "ada\u200b@example.com",
    ]
  ) assertEquals(await parse(text), 400, text);
});

Deno.test("POST /projects lists the allowed values of a field", async () => {
  await using app = await testApp();
  const { body: meta } = await app.json("/api/v1/meta");
  const slugs = (items: { slug: string }[]) => items.map(({ slug }) => slug);
  const values: Record<string, string[]> = {
    category: slugs(meta.categories),
    builtWith: slugs(meta.aiTools),
    pricing: meta.pricingModels,
    accent: meta.listingAccents.flatMap(({ name, hex }: Record<string, string>) => [name, hex]),
  };
  for (const [field, allowed] of Object.entries(values)) {
    const wrong = field === "builtWith" ? ["abacus"] : "nonsense";
    const { body } = await app.json(path, {
      json: { name: "N", url: "https://example.com", tagline: "T", [field]: wrong },
    });
    const { message } = body.error.details[0];
    assert(allowed.length > 4, field);
    for (const value of allowed) assertStringIncludes(message, value);
  }
});

Deno.test("POST /projects reports the other problems besides a list of many bad items", async () => {
  await using app = await testApp();
  const json = { name: "", builtWith: Array(1_900).fill("abacus"), pricing: "gratis" };
  const { body } = await app.json(path, { json });
  const [, , , builtWith, ...others] = body.error.details;
  assertEquals(builtWith, { field: "builtWith", message: "Must have at most 6 items" });
  assertEquals(others.map(({ field }: { field: string }) => field), ["pricing"]);
});

/**
 * Input, the field that must be named, and why. What else a URL may not be is in
 * `tests/text/web_url_test.ts`.
 */
const REFUSED: [Record<string, unknown>, string, string][] = [
  [{ name: "" }, "name", "empty"],
  [{ name: " \u200b\u202e " }, "name", "nothing left after cleaning"],
  [{ name: "a\nb" }, "name", "line break"],
  [{ name: "a\ud800b" }, "name", "lone surrogate"],
  [{ tagline: "x".repeat(121) }, "tagline", "121 characters"],
  [{ url: "x".repeat(501) }, "url", "no URL"],
  [{ url: "http://10.1.2.3" }, "url", "private address"],
  [{ tags: Array(7).fill("a").map((t, i) => t + i) }, "tags", "7 tags"],
  [{ tags: Array(1_900).fill("tag") }, "tags", "1,900 tags"],
  [{ tags: ["x".repeat(25)] }, "tags.0", "25 characters"],
  [{ tags: ["snake_case"] }, "tags.0", "an underscore"],
  [{ tags: ["a b"] }, "tags.0", "a space"],
  [{ tags: "a,b" }, "tags", "not an array"],
  [{ builtWith: Array(7).fill("claude") }, "builtWith", "7 tools"],
  [{ accent: "#00CBE" }, "accent", "not in the catalogue"],
  [{ logoUrl: `https://example.com/${"x".repeat(481)}` }, "logoUrl", "501 characters"],
  [{ repoUrl: `https://example.com/${"x".repeat(481)}` }, "repoUrl", "501 characters"],
];

Deno.test("POST /projects reports one clear problem per field of the wrong type", async () => {
  await using app = await testApp();
  const { body } = await app.json(path, {
    json: { name: [], url: {}, tagline: 5, tags: "not-an-array", accent: Array(50).fill("a") },
  });
  assertEquals(body.error.details, [
    { field: "name", message: "Must be a string" },
    { field: "url", message: "Must be a string" },
    { field: "tagline", message: "Must be a string" },
    { field: "tags", message: "Must be an array" },
    { field: "accent", message: "Must be a string" },
  ]);
});

Deno.test("POST /projects accepts each field at its limit", async () => {
  await using app = await testApp();
  const address = (name: string) => `https://${name}.example.com/`.padEnd(500, "a");
  const { project } = await submit(app, {
    name: "n".repeat(60),
    url: address("url"),
    tagline: "t".repeat(120),
    description: "d".repeat(2000),
    tags: ["a", "b", "c", "web3", "read-later", "f".repeat(24)],
    builtWith: ["claude", "codex", "grok", "gemini", "human", "other"],
    logoUrl: address("logo"),
    repoUrl: address("repo"),
    submittedBy: "s".repeat(60),
  });
  const { name, url, tagline, description, tags, builtWith, logoUrl, repoUrl, submittedBy } =
    project;
  assertEquals(
    [name, url, tagline, description, tags, builtWith, logoUrl, repoUrl, submittedBy]
      .map(({ length }) => length),
    [60, 500, 120, 2000, 6, 6, 500, 500, 60],
  );
  assertEquals(tags, ["a", "b", "c", "web3", "read-later", "f".repeat(24)]);
});

Deno.test("POST /projects stores and counts nothing for invalid fields", async () => {
  await using app = await testApp();
  const keysIn = async () =>
    (await Array.fromAsync(app.deps.store.list({ prefix: [] }))).map(({ key }) => key);
  const before = await keysIn();
  for (const [fields, field, reason] of REFUSED) {
    const answer = await app.json(path, { json: listingBody(fields) });
    assert(invalidFields(answer).includes(field), `${reason}: ${JSON.stringify(answer.body)}`);
  }
  assertEquals(await keysIn(), before);
});

Deno.test("POST /projects refuses duplicate keys and nesting past 16 levels", async () => {
  await using app = await testApp();
  const headers = { "content-type": "application/json" };
  const twice = '{"name":"A","url":"https://a.dev","tagline":"t","na\\u006de":"B"}';
  assertEquals(invalidFields(await app.json(path, { method: "POST", body: twice, headers })), [
    "name",
  ]);
  const value = await app.json(path, { json: listingBody({ name: "tagline", tagline: "name" }) });
  assertEquals(value.status, 201, "a value may be the same as a key");
  const deep = async (levels: number) => {
    const body = `{"name":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    return invalidFields(await app.json(path, { method: "POST", body, headers }));
  };
  assertEquals(await deep(16), ["name", "url", "tagline"]);
  for (const levels of [17, 5000]) assertEquals(await deep(levels), ["body"]);
});

Deno.test("POST /projects ignores unknown and server-assigned fields (invariant 11)", async () => {
  await using app = await testApp();
  const body = JSON.stringify({
    ...listingBody(),
    slug: "mine",
    votes: 99,
    clicks: 99,
    promoted: true,
    sponsored: true,
    state: "live",
    keyHash: "x",
    placement: "front-row",
    constructor: { prototype: { polluted: true } },
  }).replace("{", '{"__proto__":{"polluted":true},');
  const { status, body: { project, ignoredFields } } = await app.json(path, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
  assertEquals(status, 201);
  assertEquals(
    ignoredFields.join(),
    "__proto__,slug,votes,clicks,promoted,sponsored,state,keyHash,placement,constructor",
  );
  assert(project.slug !== "mine");
  const { votes, clicks, promoted, sponsored, placement } = project;
  assertEquals({ votes, clicks, promoted, sponsored, placement }, {
    votes: 0,
    clicks: 0,
    promoted: false,
    sponsored: false,
    placement: null,
  });
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("POST /projects lists the project immediately, and returns the edit key, badge and Location", async () => {
  await using app = await testApp();
  const fields = {
    name: "Ink\u200bwell",
    url: "https://inkwell.dev/",
    tagline: "  A notebook that answers back  ",
    description: "Line one\r\nline two",
    category: "content",
    tags: ["writing", "writing", "md"],
    builtWith: ["claude-code", "human"],
    pricing: "open-source",
    accent: "#684cff",
    logoUrl: "https://inkwell.dev/logo.png",
    repoUrl: "https://github.com/example/inkwell",
    contactEmail: "maker@inkwell.dev",
  };
  const { status, headers, body } = await app.json(path, {
    json: fields,
    headers: { "x-agent-name": "Test Agent" },
  });
  assertEquals(status, 201);
  assertMatch(body.editKey, /^pik_[\w-]{43}$/);
  assertEquals(body.pending, false);
  assertEquals(headers.get("location"), body.project.apiUrl);
  assertEquals(headers.get("cache-control"), "private, no-store");
  assertNotMatch(
    JSON.stringify(body.project),
    /contactEmail|maker@inkwell|pik_|keyHash|"state":"live"/,
  );
  assert(body.badge.markdown.includes(body.project.badgeUrl));
  const { contactEmail: _, ...given } = fields;
  const api = "http://projectory.test/api/v1/projects/inkwell";
  assertEquals(body.project, {
    ...given,
    slug: "inkwell",
    name: "Inkwell",
    tagline: "A notebook that answers back",
    description: "Line one\nline two",
    tags: ["writing", "md"],
    accent: "#684CFF",
    accentName: "Iris",
    submittedBy: "Test Agent",
    votes: 0,
    clicks: 0,
    promoted: false,
    sponsored: false,
    placement: null,
    promotion: null,
    gem: null,
    health: { state: "unknown", since: null, checkedAt: null },
    linkCheck: null,
    signedBy: null,
    verified: null,
    createdAt: "2026-03-04T12:00:00.000Z",
    updatedAt: "2026-03-04T12:00:00.000Z",
    page: "http://projectory.test/p/inkwell",
    goUrl: "http://projectory.test/go/inkwell",
    apiUrl: api,
    badgeUrl: `${api}/badge.svg`,
  });
  const read = await app.json("/api/v1/projects/inkwell");
  assertEquals(read.body.project, body.project);
  assertEquals((await app.json(path)).body.projects, [body.project]);
});

Deno.test("POST /projects prefers submittedBy in the body to X-Agent-Name, and decodes UTF-8 names", async () => {
  await using app = await testApp();
  const header = { "x-agent-name": String.fromCharCode(...new TextEncoder().encode("Zoë")) };
  const given = await submit(app, { submittedBy: "Ada" }, { headers: header });
  assertEquals(given.project.submittedBy, "Ada");
  assertEquals((await submit(app, {}, { headers: header })).project.submittedBy, "Zoë");
});

Deno.test("POST /projects returns duplicate_url with the first slug for every spelling", async () => {
  await using app = await testApp();
  await submit(app, { name: "First", url: "https://www.First.dev/?b=2&a=1&utm_source=x#top" });
  for (
    const url of ["http://first.dev?a=1&b=2", "https://first.dev:443/index.html?b=2&a=1&ref=me"]
  ) {
    const answer = await app.json(path, { json: listingBody({ url }) });
    assertEquals([answer.status, answer.body.error.code], [409, "duplicate_url"], url);
    assertEquals(answer.body.error.details, { slug: "first" });
  }
});

Deno.test("POST /projects gives taken and reserved names a slug of their own", async () => {
  await using app = await testApp();
  const slugs = [];
  for (const name of ["Echo", "Echo", "ECHO!", "Submit", "日本語", "Ünïcödé App"]) {
    slugs.push((await submit(app, { name })).project.slug);
  }
  assertEquals(slugs.slice(0, 3), ["echo", "echo-2", "echo-3"]);
  assertEquals((await app.deps.store.get(listingKeys.suffix("echo"))).value, 4, "the next to try");
  assert(slugs[3] !== "submit");
  for (const slug of slugs) assertMatch(slug, /^[a-z0-9-]{1,60}$/);
  assertEquals(slugs[5], "unicode-app");
});

Deno.test("POST /projects gives concurrent submissions different slugs, even if their names lead to the same one (invariant 6)", async () => {
  await using app = await testApp();
  const names = Array.from({ length: 10 }, (_, i) => `Echo ${"abcdefghij"[i]}`);
  for (const name of names) await submit(app, { name });
  const both = await Promise.all(
    names.flatMap((name) => [submit(app, { name }), submit(app, { name: `${name} 2` })]),
  );
  assertEquals(new Set(both.map(({ project }) => project.slug)).size, 20);
  for (const { project } of both) {
    const read = await app.json(`/api/v1/projects/${project.slug}`);
    assertEquals(read.body.project.name, project.name);
  }
});

Deno.test("POST /projects finds a slug after 110 taken numbers", async () => {
  await using app = await testApp();
  await submit(app, { name: "Echo" });
  for (let n = 2; n <= 111; n++) await submit(app, { name: `Echo ${n}` });
  assertEquals((await submit(app, { name: "Echo" })).project.slug, "echo-135");
});

Deno.test("POST /projects?dryRun=1 returns what would be listed, without storing or counting anything", async () => {
  await using app = await testApp();
  const answer = await app.json(`${path}?dryRun=1`, { json: listingBody({ name: "Trial" }) });
  assertEquals([answer.status, answer.body.dryRun, answer.body.project.slug], [200, true, "trial"]);
  assertEquals((await app.json("/api/v1/projects/trial")).status, 404);
  for (const slug of ["trial", "trial-2"]) {
    const trial = await app.json(`${path}?dryRun=1`, { json: listingBody({ name: "Trial" }) });
    assertEquals(trial.body.project.slug, slug);
    const { project } = await submit(app, { name: "Trial" });
    assertEquals(project.slug, slug);
    const json = listingBody({ url: project.url });
    const again = await app.json(`${path}?dryRun=1`, { json });
    assertEquals([again.status, again.body.error.code], [409, "duplicate_url"]);
    assertEquals(again.body.error.details, { slug });
  }
  assertEquals(invalidFields(await app.json(`${path}?dryRun=1`, { json: {} })), [
    "name",
    "url",
    "tagline",
  ]);
  assertEquals(invalidFields(await app.json(`${path}?dryRun=2`, { json: listingBody() })), [
    "dryRun",
  ]);
});

Deno.test("a misspelled or misplaced dry run of a project or skill publishes nothing", async () => {
  await using app = await testApp();
  for (const [list, json] of [[path, listingBody()], ["/api/v1/skills", skillBody()]] as const) {
    const misspelled = await app.json(`${list}?dry_run=1`, { json });
    assertEquals(invalidFields(misspelled), ["dry_run"]);
    for (const field of ["dryRun", "dry_run"]) {
      const misplaced = await app.json(list, { json: { ...json, [field]: true } });
      assertEquals(invalidFields(misplaced), [field]);
    }
    assertEquals(invalidFields(await app.json(`${list}?dryRun=1&dryRun=1`, { json })), ["dryRun"]);
    assertEquals((await app.json(list)).body.total, 0);
  }
});

Deno.test("POST /projects is pending and not public while review is on (invariant 12)", async () => {
  await using app = await testApp();
  await setSwitches(app.deps.store, { review: true });
  const { project, pending, editKey } = await submit(app, {
    name: "Waiting",
    url: "https://w.dev",
  });
  assertEquals(pending, true);
  for (
    const address of [
      `/api/v1/projects/${project.slug}`,
      `/api/v1/projects/${project.slug}/vote`,
      `/api/v1/projects/${project.slug}/badge.svg`,
      `/p/${project.slug}`,
      `/go/${project.slug}`,
    ]
  ) {
    const response = await app.request(address);
    assertEquals(response.status, 404, address);
  }
  const { slug } = project;
  for (
    const [address, json] of [
      [`/api/v1/projects/${slug}/vote`, {}],
      ["/api/v1/promote", { slug, tierId: "bump-3" }],
      ["/api/v1/auctions/front-row-2026-03-09/bids", { slug, amountCents: 1000 }],
    ] as const
  ) {
    const { status, body } = await app.json(address, { json });
    assertEquals([status, body.error?.code], [404, "not_found"], address);
  }
  assertEquals((await app.json(path)).body.total, 0);
  const held = await app.json(path, { json: listingBody({ url: "http://www.w.dev/" }) });
  assertEquals(held.body.error.details, { slug: project.slug });
  const edited = await app.json(`/api/v1/projects/${project.slug}`, {
    method: "PATCH",
    json: { tagline: "Better" },
    editKey,
  });
  assertEquals([edited.status, edited.body.project.tagline], [200, "Better"]);
  await moveListing(app.deps, { slug, step: "approve" });
  await app.deps.sync.caughtUp();
  const { changes } = (await app.json("/api/v1/changes")).body;
  assertEquals(changes.map(({ event }: { event: string }) => event), ["approved"]);
});

Deno.test("a listing created in another process is shown before this one hears of it", async () => {
  const kv = await Deno.openKv(":memory:");
  await using one = await testApp({ kv: kvWith(kv, { close() {} }) });
  await using other = await testApp({ kv });
  const { project: { slug } } = await submit(other, { description: "Told in full" });
  await other.request(`${path}/${slug}/vote`, { method: "POST" });
  await other.request(`/go/${slug}`);
  const shown = (app: TestApp) => app.json(`${path}/${slug}`);
  const { project } = (await shown(other)).body;
  assertEquals([project.votes, project.clicks, project.description], [1, 1, "Told in full"]);
  assertEquals(one.deps.catalogue.get(slug), undefined);
  assertEquals((await shown(one)).body.project, project);
});
