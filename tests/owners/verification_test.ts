import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { verify } from "@/lib/backup/verify.ts";
import { DAY_MS } from "@/lib/clock.ts";
import { provenBy } from "@/lib/entries/verified.ts";
import type { Fetcher } from "@/lib/fetching/fetcher.ts";
import { listValues } from "@/lib/kv/ranges.ts";
import { noticeKeys } from "@/lib/notices/keys.ts";
import type { Notice } from "@/lib/notices/outbox.ts";
import { listReports } from "@/lib/operator/reports.ts";
import { ownerKeys } from "@/lib/owners/keys.ts";
import { placesOf, tokenOf } from "@/lib/owners/places.ts";
import { recheckOwners } from "@/lib/owners/verification.ts";
import { sha256 } from "@/lib/text/digest.ts";
import { WebDouble } from "../fetching/web_double.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { addressOf, submit } from "../support/listings.ts";
import { callTool } from "../support/mcp.ts";
import { operatorJson } from "../support/operator.ts";

const begin = (app: TestApp, slug: string, json?: unknown) =>
  app.json(`/api/v1/projects/${slug}/verification`, { method: "POST", json });

const check = (app: TestApp, slug: string, editKey: string, address?: string) =>
  app.json(`/api/v1/projects/${slug}/verification/check`, { method: "POST", address, editKey });

/** Whether a key can edit a listing. */
async function opens(app: TestApp, slug: string, editKey: string): Promise<boolean> {
  const { status } = await app.json(`/api/v1/projects/${slug}`, {
    method: "PATCH",
    json: { tagline: "Mine" },
    address: addressOf(77_000 + Math.floor(performance.now())),
    editKey,
  });
  return status === 200;
}

/** The place for a method in a claim. */
// deno-lint-ignore no-explicit-any -- a response body
const placeOf = (claim: any, method: string) =>
  claim.places.find((place: { method: string }) => place.method === method);

/** How a token is published in each place. */
const PUBLISH: Record<string, (web: WebDouble, content: string, where: string) => void> = {
  dns: (web, content, where) =>
    web.txt[where] = [["v=spf1 -all"], [content.slice(0, 9), content.slice(9)]],
  file: (web, content) =>
    web.serve(
      "example.test",
      ({ url }) =>
        new URL(url).pathname === "/.well-known/projectory.txt"
          ? new Response(`# who owns this\r\n${content}\r\n`)
          : new Response("", { status: 404 }),
    ),
  meta: (web, content) =>
    web.serve(
      "example.test",
      () =>
        new Response(`<!doctype html><head><title>x</title>${content}</head><p>Hello`, {
          headers: { "content-type": "text/html" },
        }),
    ),
  link: (web, content) =>
    web.serve(
      "example.test",
      () =>
        new Response(
          `<p>Hello <a class=x ${content.slice(6).replace('"me"', '"nofollow ME"')}me</a>`,
        ),
    ),
};

for (const [method, publish] of Object.entries(PUBLISH)) {
  Deno.test(`a token published as ${method} proves who owns a listing and gives a new edit key`, async () => {
    await using web = new WebDouble();
    await using app = await testApp({ fetcher: web.fetcher });
    const made = await submit(app, { url: "http://example.test" });
    const { slug } = made.project;
    assertEquals(made.project.verified, null);
    const { nextSince } = (await app.json("/api/v1/changes")).body;
    const { status, body: claim } = await begin(app, slug);
    assertEquals(status, 200);
    assertEquals(claim.places.map((place: { method: string }) => place.method), [
      "dns",
      "file",
      "meta",
      "link",
    ]);
    // Claiming changes nothing by itself.
    assertEquals([await opens(app, slug, claim.editKey), await opens(app, slug, made.editKey)], [
      false,
      true,
    ]);
    assertEquals((await check(app, slug, claim.editKey)).body.error.code, "ownership_not_proven");
    const { content, where } = placeOf(claim, method);
    publish(web, content, where);
    const proven = await check(app, slug, claim.editKey);
    assertEquals(proven.status, 200, JSON.stringify(proven.body));
    const since = "2026-03-04T12:00:00.000Z";
    const verified = { method, domain: "example.test", since };
    assertEquals(proven.body.project.verified, verified);
    assertEquals([await opens(app, slug, claim.editKey), await opens(app, slug, made.editKey)], [
      true,
      false,
    ]);
    // Checking again returns the same and changes nothing.
    app.clock.advance(DAY_MS);
    assertEquals((await check(app, slug, claim.editKey)).body.project.verified, verified);
    const { body: { changes } } = await app.json(`/api/v1/changes?since=${nextSince}`);
    const events = changes.map(({ event }: { event: string }) => event);
    assertEquals(events.filter((event: string) => event === "verified").length, 1);
    assertEquals((await app.json("/api/v1/projects")).body.projects[0].verified, verified);
    const page = await app.text(`/p/${slug}`);
    assertMatch(page, /<dt>Verified owner<\/dt><dd>example\.test, since <time/);
    const card = await app.text(`/p/${slug}.md`);
    assertStringIncludes(card, `- Verified owner: example.test, since ${since}`);
    const { structuredContent } = await callTool(app, "get_project", { slug });
    assertEquals(
      (structuredContent as { project: typeof proven.body.project }).project.verified,
      verified,
    );
    assertEquals(await verify(app.deps.store), []);
  });
}

Deno.test("owners can claim with their own key, even the current one", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const made = await submit(app, { url: "http://example.test" });
  const { slug } = made.project;
  const { body: claim } = await begin(app, slug, { editKey: made.editKey });
  assertEquals(claim.editKey, made.editKey);
  const again = (await begin(app, slug, { editKey: made.editKey })).body;
  assertEquals(again, claim);
  web.txt["_projectory.example.test"] = [[placeOf(claim, "dns").content]];
  assertEquals((await check(app, slug, made.editKey)).status, 200);
  assert(await opens(app, slug, made.editKey));
  for (const editKey of ["pik_short", 7]) {
    const refused = await begin(app, slug, { editKey });
    assertEquals([refused.status, refused.body.error.details[0].field], [400, "editKey"]);
  }
  const missing = await app.json(`/api/v1/projects/${slug}/verification/check`, { method: "POST" });
  assertEquals([missing.status, missing.body.error.code], [403, "bad_edit_key"]);
  assertStringIncludes(missing.body.error.message, "missing: send it in the X-Edit-Key header");
});

Deno.test("a token doesn't work for another listing, for someone else who reads it or with another key", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const [one, other] = [
    await submit(app, { url: "http://example.test" }),
    await submit(app, { url: "http://example.test/other" }),
  ];
  const { body: claim } = await begin(app, one.project.slug);
  web.txt["_projectory.example.test"] = [[placeOf(claim, "dns").content]];
  const { body: stranger } = await begin(app, one.project.slug);
  for (
    const [slug, key] of [
      [one.project.slug, stranger.editKey],
      [one.project.slug, other.editKey],
      [other.project.slug, claim.editKey],
      [other.project.slug, other.editKey],
    ]
  ) assertEquals((await check(app, slug, key)).status, 409);
  // The token reveals neither the key nor its stored hash.
  const keyHash = sha256(claim.editKey);
  assert(![keyHash, claim.editKey].includes(claim.token));
  assertEquals(claim.token, tokenOf({ kind: "listing", slug: one.project.slug }, keyHash));
  assertEquals((await check(app, one.project.slug, claim.token)).status, 400);
});

Deno.test("proving ownership notifies the previous owner's email address and removes it", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { store } = app.deps;
  const contactEmail = "ann@example.test";
  const { project: { slug }, editKey } = await submit(app, {
    url: "http://example.test",
    contactEmail,
  });
  const emailOf = async () =>
    (await store.get<{ contactEmail: string | null }>(["listings", slug])).value!.contactEmail;
  for (const [own, kept, told] of [[editKey, contactEmail, 0], [undefined, null, 1]] as const) {
    const { body: claim } = await begin(app, slug, { editKey: own });
    web.txt["_projectory.example.test"] = [[placeOf(claim, "dns").content]];
    assertEquals((await check(app, slug, claim.editKey)).status, 200);
    assertEquals(await emailOf(), kept);
    const notices = await listValues<Notice>(store, noticeKeys.all);
    assertEquals(
      notices.map(({ to, event }) => [to, event.type]),
      Array(told).fill([contactEmail, "key_replaced"]),
    );
  }
});

Deno.test("of two claims at once, both can be proven, but only one of their keys opens the listing", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug }, editKey } = await submit(app, { url: "http://example.test" });
  const claims = [(await begin(app, slug)).body, (await begin(app, slug)).body];
  web.txt["_projectory.example.test"] = claims.map((claim) => [placeOf(claim, "dns").content]);
  const answers = await Promise.all(claims.map((claim) => check(app, slug, claim.editKey)));
  assertEquals(answers.map(({ status }) => status), [200, 200]);
  const open = [];
  for (const key of [editKey, ...claims.map((claim) => claim.editKey)]) {
    if (await opens(app, slug, key)) open.push(key);
  }
  assertEquals(open.length, 1);
  assert(open[0] !== editKey);
});

Deno.test("a redirect to another host proves nothing, even via an open redirect, unless it is to www.", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test/out?to=evil" });
  const { body: claim } = await begin(app, slug);
  const methods = claim.places.map((place: { method: string }) => place.method);
  assertEquals(methods, ["dns", "file"], "a page with a query may repeat what anyone asks it");
  const { content } = placeOf(claim, "file");
  const to = (location: string) => new Response(null, { status: 302, headers: { location } });
  web.serve(
    "evil.test",
    ({ url }) => url.endsWith("/back") ? to("http://example.test/proof") : new Response(content),
  );
  let target = "http://evil.test/";
  web.serve(
    "example.test",
    ({ url }) => url.endsWith("/proof") ? new Response(content) : to(target),
  );
  web.serve("www.example.test", () => new Response(content));
  for (target of ["http://evil.test/", "http://evil.test/back", "http://www.evil.test/"]) {
    const { status, body } = await check(app, slug, claim.editKey);
    assertEquals(status, 409, target);
    assertEquals(body.error.details, [
      { ...placeOf(claim, "dns"), found: "No TXT record" },
      {
        ...placeOf(claim, "file"),
        found: "A redirect to another host, which doesn't count",
      },
    ]);
  }
  target = "http://www.example.test/";
  assertEquals((await check(app, slug, claim.editKey)).status, 200);
});

Deno.test("a failed check says what was looked for and found in each place", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test/a" });
  const { body: claim } = await begin(app, slug);
  const { content: tag } = placeOf(claim, "meta");
  const { content: link } = placeOf(claim, "link");
  // Visitors can post links to the entry, but not with rel="me".
  const posted = ["", 'rel="nofollow ugc"', 'rel="me-too"']
    .map((rel) => link.replace("link", "a").replace('rel="me"', rel)).join("");
  web.txt["_projectory.example.test"] = [[`${placeOf(claim, "dns").content}0`]];
  // Text from visitors isn't the page's head, and other tags prove nothing.
  web.serve(
    "example.test",
    ({ url }) =>
      url.endsWith("/a")
        ? new Response(`<title>x</title><p>${tag}<a rel="me" href="x">${posted}<!-- ${tag} -->`)
        : new Response("", { status: 404 }),
  );
  const { status, body: { error } } = await check(app, slug, claim.editKey);
  assertEquals([status, error.code], [409, "ownership_not_proven"]);
  assertEquals(error.details.map(({ found }: { found: string }) => found), [
    "TXT records, but not this one",
    "Status 404 instead of 200",
    "A page without this tag",
    "A page without this tag",
  ]);
  const { body: { error: unknown } } = await begin(app, "nobody");
  assertEquals(unknown.code, "not_found");
});

Deno.test("a pixel for browsers without scripts doesn't end a page's head, but its body does", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test/" });
  const { body: claim } = await begin(app, slug);
  const { content: tag } = placeOf(claim, "meta");
  const pixel = '<noscript><img height="1" src="https://pixel.test/"></noscript>';
  let page = "";
  web.serve("example.test", () => new Response(page));
  for (const body of [`${pixel}<body>`, `${pixel}<p>`, "<noscript><img><body>"]) {
    page = `<!doctype html><title>x</title>${body}${tag}`;
    assertEquals((await check(app, slug, claim.editKey)).status, 409, body);
  }
  page = `<!doctype html><head><title>x</title>${pixel}${tag}</head><body><p>Hello`;
  assertEquals((await check(app, slug, claim.editKey)).status, 200);
});

/** The status of a check whose owner's link is on a page. */
async function checkWithLink(pageOf: (link: string) => string): Promise<number> {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test/" });
  const { body: claim } = await begin(app, slug);
  web.serve("example.test", () => new Response(pageOf(placeOf(claim, "link").content)));
  return (await check(app, slug, claim.editKey)).status;
}

Deno.test("a page of 300,000 open tags is read to its end without holding up others", async () => {
  assertEquals(await checkWithLink((link) => "<b>".repeat(300_000) + link), 200);
});

Deno.test("an owner's link is found below a picture whose title is empty", async () => {
  const picture = '<svg><title/><path d="M0 0"/></svg>';
  assertEquals(await checkWithLink((link) => `<body>${picture}${link}`), 200);
});

Deno.test("what a place proves: a host, a page, a repository or nothing", () => {
  const proofs = (url: string) =>
    (["dns", "file", "meta", "link", "repository"] as const).map((method) => provenBy(url, method));
  const page = "example.com/~ann";
  for (
    const [url, ...proven] of [
      ["https://example.com", "example.com", "example.com", "example.com", "example.com", null],
      [
        "https://www.example.com/~ann",
        ...["", "", "/~ann", "/~ann"].map((path) => `www.example.com${path}`),
        null,
      ],
      ["https://example.com/~ann#x", "example.com", "example.com", page, page, null],
      ["https://example.com/?a=1", "example.com", "example.com", null, null, null],
      ["https://example.com:8443/", "example.com", null, null, null, null],
      ["https://93.184.216.34/", null, ...Array(3).fill("93.184.216.34"), null],
      [
        "https://ann.github.io/x/",
        ...["", "", "/x/", "/x/"].map((path) => `ann.github.io${path}`),
        null,
      ],
      ["https://github.com/ann/x", null, null, null, null, "github.com/ann/x"],
      ["https://www.github.com/ann/x.git/", null, null, null, null, "github.com/ann/x"],
      ["https://github.com/ann/x/tree/main/a?b#c", null, null, null, null, "github.com/ann/x"],
      ["https://github.com/ann", null, null, null, null, null],
      ["https://github.com//ann/x", null, null, null, null, null],
      ["https://github.com/ann/x%2F..%2Fy", null, null, null, null, null],
      ["https://gitlab.com/a/b/c/-/issues", null, null, null, null, "gitlab.com/a/b/c"],
      ["https://codeberg.org/ann/x", null, null, null, null, "codeberg.org/ann/x"],
    ] as [string, ...(string | null)[]][]
  ) assertEquals(proofs(url), proven, url);
});

Deno.test("on a code host, only a file in the default branch of that repository counts", async () => {
  const asked: string[] = [];
  let content = "";
  const unasked = () => Promise.reject(new Error("asked"));
  const fetcher: Fetcher = {
    name: "test-fetcher",
    isAway: false,
    post: unasked,
    mail: unasked,
    get: (url, options) => {
      asked.push(`${url} ${options?.stayOnHost}`);
      return Promise.resolve({ ok: true, status: 200, url, redirects: [], body: content });
    },
    txt: unasked,
  };
  await using app = await testApp({ fetcher });
  const raw = [
    ["https://github.com/ann/x", "https://raw.githubusercontent.com/ann/x/HEAD/projectory.txt"],
    ["https://gitlab.com/a/b/c", "https://gitlab.com/a/b/c/-/raw/HEAD/projectory.txt"],
    ["https://codeberg.org/ann/x", "https://codeberg.org/api/v1/repos/ann/x/raw/projectory.txt"],
  ] as const;
  for (const [url, where] of raw) {
    const { project: { slug } } = await submit(app, { url });
    const { body: claim } = await begin(app, slug);
    assertEquals(claim.places.length, 1);
    assertEquals(placeOf(claim, "repository").where, where);
    content = claim.places[0].content;
    const { body: { project } } = await check(app, slug, claim.editKey);
    assertEquals(project.verified.domain, url.slice("https://".length));
    assertEquals(asked.splice(0), [`${where} true`]);
  }
  const { project: { slug } } = await submit(app, { url: "https://github.com/ann" });
  const { status, body: { error } } = await begin(app, slug);
  assertEquals([status, error.code], [400, "invalid_input"]);
  assertMatch(error.details[0].message, /the URL of the repository itself/);
});

Deno.test("a new URL ends a proof that doesn't cover it", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test" });
  const { body: claim } = await begin(app, slug);
  web.txt["_projectory.example.test"] = [[placeOf(claim, "dns").content]];
  await check(app, slug, claim.editKey);
  const move = async (url: string) =>
    (await app.json(`/api/v1/projects/${slug}`, {
      method: "PATCH",
      json: { url },
      editKey: claim.editKey,
    })).body.project.verified?.domain;
  assertEquals(await move("http://example.test/new"), "example.test");
  assertEquals(await move("http://other.test/new"), undefined);
  app.clock.advance(8 * DAY_MS);
  assertEquals(await recheckOwners(app.deps, app.clock.now()), true);
  assertEquals(await recheckOwners(app.deps, app.clock.now()), false);
});

Deno.test("a URL that changes during a check proves nothing", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug }, editKey } = await submit(app, { url: "http://example.test" });
  const { body: claim } = await begin(app, slug);
  web.txt["_projectory.example.test"] = [[placeOf(claim, "dns").content]];
  const { txtOf } = web.net;
  web.net.txtOf = async (host) => {
    const { status } = await app.json(`/api/v1/projects/${slug}`, {
      method: "PATCH",
      json: { url: "http://victim.test" },
      editKey,
    });
    assertEquals(status, 200);
    return await txtOf(host);
  };
  assertMatch((await check(app, slug, claim.editKey)).body.error.details[0].message, /was changed/);
  assertEquals((await app.json(`/api/v1/projects/${slug}`)).body.project.verified, null);
});

Deno.test("a proof is rechecked weekly and lapses after three failures in a row, but the key stays valid", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test" });
  const { body: claim } = await begin(app, slug);
  const records = web.txt["_projectory.example.test"] = [[placeOf(claim, "dns").content]];
  await check(app, slug, claim.editKey);
  const since = (await app.json("/api/v1/changes")).body.changes.at(-1).id;
  const week = async (isThere: boolean) => {
    app.clock.advance(7 * DAY_MS);
    if (isThere) web.txt["_projectory.example.test"] = records;
    else delete web.txt["_projectory.example.test"];
    // Two processes at once count one failure.
    const now = app.clock.now();
    await Promise.all([recheckOwners(app.deps, now), recheckOwners(app.deps, now)]);
    return (await app.json(`/api/v1/projects/${slug}`)).body.project.verified !== null;
  };
  const held = [];
  for (const isThere of [true, false, false, true, false, false, false]) {
    held.push(await week(isThere));
  }
  assertEquals(held, [true, true, true, true, true, true, false]);
  const { body: { changes } } = await app.json(`/api/v1/changes?since=${since}`);
  assertEquals(changes.map(({ event }: { event: string }) => event), ["verification_lapsed"]);
  assert(await opens(app, slug, claim.editKey));
  assertEquals(await recheckOwners(app.deps, app.clock.now() + 30 * DAY_MS), false);
});

Deno.test("a new key from the operator ends the proof immediately, and the owner can prove it again", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test" });
  const verified = async () => (await app.json(`/api/v1/projects/${slug}`)).body.project.verified;
  const { body: claim } = await begin(app, slug);
  web.txt["_projectory.example.test"] = [[placeOf(claim, "dns").content]];
  await check(app, slug, claim.editKey);
  assertEquals((await verified()).domain, "example.test");
  const { editKey } = await operatorJson(app, "listings", "rekey", slug);
  assertEquals(await verified(), null);
  const { changes } = (await app.json("/api/v1/changes")).body;
  assertEquals(changes.at(-1).event, "verification_lapsed");
  assertEquals([await opens(app, slug, claim.editKey), await opens(app, slug, editKey)], [
    false,
    true,
  ]);
  assertEquals(await recheckOwners(app.deps, app.clock.now() + 30 * DAY_MS), false);
  assertEquals((await check(app, slug, claim.editKey)).status, 200);
  assertEquals((await verified()).domain, "example.test");
});

Deno.test("a late recheck doesn't count proofs that another process has just rechecked", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  for (const host of ["first.test", "second.test"]) {
    const { project: { slug } } = await submit(app, { url: `http://${host}` });
    const { body: claim } = await begin(app, slug);
    web.txt[`_projectory.${host}`] = [[placeOf(claim, "dns").content]];
    await check(app, slug, claim.editKey);
  }
  app.clock.advance(7 * DAY_MS);
  const now = app.clock.now();
  const isReading = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const slow: Fetcher = {
    ...web.fetcher,
    txt: async (host) => {
      isReading.resolve();
      await goOn.promise;
      return await web.fetcher.txt(host);
    },
  };
  const late = recheckOwners({ ...app.deps, fetcher: slow }, now);
  await isReading.promise;
  await recheckOwners(app.deps, now);
  for (const name of Object.keys(web.txt)) delete web.txt[name];
  goOn.resolve();
  await late;
  const checks = await listValues<{ failures: number }>(app.deps.store, ownerKeys.checks.listing);
  assertEquals(checks.map(({ failures }) => failures), [0, 0]);
});

Deno.test("a crash at any commit of a check leaves all of the proof or nothing, and it can be repeated", async () => {
  const plain = await Deno.openKv(":memory:");
  let left = Infinity;
  const kv = kvWith(plain, {
    commit: (land) => left-- > 0 ? land() : Promise.reject(new Error("killed")),
  });
  await using web = new WebDouble();
  await using app = await testApp({ kv, fetcher: web.fetcher });
  const { project: { slug }, editKey } = await submit(app, { url: "http://example.test" });
  const { body: claim } = await begin(app, slug);
  web.txt["_projectory.example.test"] = [[placeOf(claim, "dns").content]];
  let status = 0;
  for (let commits = 0; status !== 200; commits++) {
    assert(commits < 10);
    left = commits;
    status = (await check(app, slug, claim.editKey)).status;
    left = Infinity;
    const { value } = await plain.get<{ keyHash: string; verified?: unknown }>(["listings", slug]);
    const isProven = value!.verified !== undefined;
    assertEquals(value!.keyHash, sha256(isProven ? claim.editKey : editKey));
    assertEquals((await plain.get(["ownership_checks", slug])).value !== null, isProven);
    assert(isProven || status !== 200);
  }
});

Deno.test("without a working fetcher, claims are fetcher_unavailable, and checks are rate limited", async () => {
  await using off = await testApp();
  const { project: { slug } } = await submit(off);
  assertEquals((await begin(off, slug)).body.error.code, "fetcher_unavailable");
  const byHand = await off.text(`/p/${slug}/claim`);
  assertMatch(byHand, /check by hand/);
  assertMatch(
    byHand,
    /data-characters="500"[^>]* name="note"|name="note"[^>]* data-characters="500"/,
  );
  // From a page opened while there was a fetcher.
  const late = await off.request(`/p/${slug}/claim`, { form: { editKey: "pik_0" } });
  assertMatch(
    await late.text(),
    /role="alert"[^]*Nothing was changed. Follow the steps below[^]*automatically right now</,
  );
  const note = "https://example.com/note";
  const sent = await off.request(/action="(\/p\/[^"]*\/report)"/.exec(byHand)![1]!, {
    form: { reason: /name="reason" value="(\w+)"/.exec(byHand)![1]!, note },
  });
  assertEquals(sent.headers.get("location"), `http://projectory.test/p/${slug}/report?sent=1`);
  assertEquals((await listReports(off.deps))[0]!.note, note);
  assertStringIncludes(await off.text(`/p/${slug}`), `/p/${slug}/claim`);
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project } = await submit(app, { url: "http://example.test" });
  const { body: claim } = await begin(app, project.slug);
  app.deps.fetcher = {
    ...web.fetcher,
    isAway: true,
    get: () => Promise.reject(new Error("away")),
    txt: () => Promise.reject(new Error("away")),
  };
  const away = await check(app, project.slug, claim.editKey);
  assertEquals([away.status, away.body.error.code], [503, "fetcher_unavailable"]);
  app.deps.fetcher = web.fetcher;
  for (let i = 1; i < 20; i++) {
    assertEquals((await check(app, project.slug, claim.editKey)).status, 409);
  }
  assertEquals((await check(app, project.slug, claim.editKey)).status, 429);
});

Deno.test("people can claim on a page without JavaScript, which shows the key only once", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test", name: "Ink" });
  const path = `/p/${slug}/claim`;
  assertStringIncludes(await app.text(`/p/${slug}`), `href="${path}"`);
  assertStringIncludes(await app.text(`/p/${slug}/edit`), `href="${path}"`);
  assertMatch(await app.text(path), /Get a token/);
  const begun = await app.text(path, { form: { start: "1" } });
  const editKey = /name="editKey" value="(pik_[\w-]{43})"/.exec(begun)![1]!;
  const line = /projectory-verification=[\w-]{43}/.exec(begun)![0];
  const early = await app.request(path, { form: { editKey } });
  assertEquals(early.status, 409);
  const looked = await early.text();
  assertStringIncludes(looked, "Found: No TXT record.");
  assert(!looked.includes(editKey));
  web.txt["_projectory.example.test"] = [[line]];
  const done = await app.request(path, { form: { editKey } });
  const shown = await done.text();
  assertEquals(done.status, 200);
  assertMatch(shown, /You own <span dir="auto">Ink<\/span>/);
  assert(!shown.includes(editKey));
  assert(await opens(app, slug, editKey));
  const wrong = await app.request(path, { form: { editKey: "pik_x" } });
  assertEquals(wrong.status, 400);
});

Deno.test("places say where to publish what, based on the listing's URL", async () => {
  await using app = await testApp();
  const listing = { slug: "ink", url: "https://ink.example/app" };
  assertEquals(
    placesOf({ kind: "listing", ...listing }, "T", app.deps.urls).map((
      { method, where, content },
    ) => [
      method,
      where,
      content,
    ]),
    [
      ["dns", "_projectory.ink.example", "projectory-verification=T"],
      ["file", "https://ink.example/.well-known/projectory.txt", "projectory-verification=T"],
      ["meta", listing.url, '<meta name="projectory-verification" content="T">'],
      ["link", listing.url, `<link rel="me" href="${app.deps.urls.base}/p/ink#T">`],
    ],
  );
});

Deno.test("a proof made while the clock was far ahead is rechecked once the clock is right", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test" });
  const { body: claim } = await begin(app, slug);
  web.txt["_projectory.example.test"] = [[placeOf(claim, "dns").content]];
  const now = app.clock.now();
  app.clock.advance(365 * DAY_MS);
  await check(app, slug, claim.editKey);
  app.clock.set(now);
  assertEquals(await recheckOwners(app.deps, now), true);
  assertEquals(await recheckOwners(app.deps, now), false);
});

Deno.test("a recheck skipped because of too many requests to the host says nothing about the proof", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const { project: { slug } } = await submit(app, { url: "http://example.test" });
  const { body: claim } = await begin(app, slug);
  const { content, where } = placeOf(claim, "meta");
  PUBLISH.meta!(web, content, where);
  await check(app, slug, claim.editKey);
  const busy: Fetcher = {
    ...web.fetcher,
    get: () => Promise.resolve({ ok: false, problem: "busy" }),
  };
  for (let week = 0; week < 4; week++) {
    app.clock.advance(7 * DAY_MS);
    await recheckOwners({ ...app.deps, fetcher: busy }, app.clock.now());
  }
  const { project } = (await app.json(`/api/v1/projects/${slug}`)).body;
  assertEquals(project.verified?.method, "meta");
  const failures = async () =>
    (await listValues<{ failures: number }>(app.deps.store, ownerKeys.checks.listing))
      .map((one) => one.failures);
  assertEquals(await failures(), [0]);
  web.serve("example.test", () => new Response("<p>Hello"));
  assertEquals(await recheckOwners(app.deps, app.clock.now()), false);
  assertEquals(await recheckOwners(app.deps, app.clock.now() + DAY_MS), true);
  assertEquals(await failures(), [1]);
});
