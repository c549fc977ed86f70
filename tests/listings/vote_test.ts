import { assertEquals } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { type TestApp, testApp, type TestRequest } from "../support/app.ts";
import { KINDS, make } from "../support/kinds.ts";
import { kvWith } from "../support/kv_with.ts";
import { addressOf, submit } from "../support/listings.ts";

async function listed(app: TestApp): Promise<string> {
  return `/api/v1/projects/${(await submit(app)).project.slug}/vote`;
}

async function vote(app: TestApp, path: string, method: string, options: TestRequest = {}) {
  const { status, body } = await app.json(path, { method, ...options });
  return [status, body.voted, body.votes, body.changed];
}

Deno.test("a voter is a network and a user agent, whatever its agent name", async () => {
  await using app = await testApp();
  const path = await listed(app);
  assertEquals(await vote(app, path, "POST"), [200, true, 1, true]);
  assertEquals(await vote(app, path, "POST", { userAgent: "another/1" }), [200, true, 2, true]);
  const headers = { "x-agent-name": "Scout" };
  assertEquals(await vote(app, path, "POST", { headers }), [200, true, 2, false]);
  const elsewhere = { address: addressOf(5), headers };
  assertEquals(await vote(app, path, "POST", elsewhere), [200, true, 3, true]);
});

for (const kind of KINDS) {
  const { noun, list, setHidden } = kind;

  Deno.test(`a vote on a ${noun} counts once per voter, and can be removed (invariant 2)`, async () => {
    await using app = await testApp();
    const { slug } = await make(app, kind);
    const path = `${list}/${slug}/vote`;
    assertEquals(await vote(app, path, "GET"), [200, false, 0, false]);
    assertEquals(await vote(app, path, "DELETE"), [200, false, 0, false]);
    assertEquals(await vote(app, path, "POST"), [200, true, 1, true]);
    assertEquals(await vote(app, path, "POST"), [200, true, 1, false]);
    assertEquals(await vote(app, path, "GET"), [200, true, 1, false]);
    for (const method of ["GET", "POST"]) {
      const { body } = await app.json(path, { method });
      assertEquals(body, { ok: true, slug, voted: true, votes: 1, changed: false }, method);
    }
    const other = { address: addressOf(5) };
    assertEquals(await vote(app, path, "GET", other), [200, false, 1, false]);
    assertEquals(await vote(app, path, "POST", other), [200, true, 2, true]);
    assertEquals(await vote(app, path, "DELETE"), [200, false, 1, true]);
    assertEquals(await vote(app, path, "DELETE"), [200, false, 1, false]);
    assertEquals((await app.json(`${list}/${slug}`)).body[noun].votes, 1);
  });

  Deno.test(`votes on an unknown or hidden ${noun} are not_found`, async () => {
    await using app = await testApp();
    const { slug } = await make(app, kind);
    await setHidden(app, slug, true);
    for (const missing of [slug, "nowhere"]) {
      for (const method of ["GET", "POST", "DELETE"]) {
        const { status, body } = await app.json(`${list}/${missing}/vote`, { method });
        assertEquals([status, body.error.code], [404, "not_found"], `${method} ${missing}`);
      }
    }
  });

  Deno.test(`a committed vote on a ${noun} isn't refused if KV then fails to read the count`, async () => {
    let down = false;
    let failsAfterCommit = false;
    const kv = await Deno.openKv(":memory:");
    const flaky = kvWith(kv, {
      before(method) {
        if (down && method === "getMany") throw new Error("down");
      },
      async commit(land) {
        const result = await land();
        down = failsAfterCommit;
        return result;
      },
    });
    await using app = await testApp({ kv: flaky });
    const path = `${list}/${(await make(app, kind)).slug}/vote`;
    assertEquals(await vote(app, path, "POST"), [200, true, 1, true]);
    failsAfterCommit = true;
    const other = { address: addressOf(5) };
    assertEquals(await vote(app, path, "POST", other), [200, true, 2, true]);
    down = false;
    assertEquals(await vote(app, path, "GET", other), [200, true, 2, false]);
  });
}

Deno.test("up to 25 voters per network count on a listing per UTC day", async () => {
  await using app = await testApp();
  const path = await listed(app);
  const cast = (n: number) => app.json(path, { method: "POST", userAgent: `browser ${n}` });
  for (let i = 0; i < 25; i++) assertEquals((await cast(i)).status, 200);
  const refused = await cast(25);
  assertEquals([refused.status, refused.body.error.details.limit], [429, 25]);
  assertEquals(refused.headers.get("ratelimit-policy"), '"voters";q=25;w=86400');
  assertEquals((await cast(3)).body.changed, false);
  assertEquals((await app.json(path)).body.votes, 25);
  // Refused votes count as vote actions too: 27 so far, of 120 an hour.
  for (let i = 0; i < 93; i++) {
    assertEquals((await cast(26 + i)).body.error.details.limit, 25);
  }
  assertEquals((await cast(3)).body.error.details.limit, 120);
  app.clock.advance(DAY_MS);
  assertEquals((await cast(25)).body.votes, 26);
});

Deno.test("a voter who keeps changing their mind is one of the network's 25 voters of the day", async () => {
  await using app = await testApp();
  const path = await listed(app);
  for (let i = 0; i < 26; i++) {
    assertEquals(await vote(app, path, "POST"), [200, true, 1, true]);
    assertEquals(await vote(app, path, "DELETE"), [200, false, 0, true]);
  }
  assertEquals(await vote(app, path, "POST", { userAgent: "browser 2" }), [200, true, 1, true]);
});

Deno.test("addresses of one IPv6 /64 are one network, and an IPv4-mapped address counts as IPv4", async () => {
  await using app = await testApp();
  const path = await listed(app);
  const from = (address: string) => vote(app, path, "POST", { address });
  assertEquals(await from("2001:db8:1:2::1"), [200, true, 1, true]);
  assertEquals(await from("2001:db8:1:2:ffff::9%eth0"), [200, true, 1, false]);
  assertEquals(await from("2001:db8:1:3::1"), [200, true, 2, true]);
  assertEquals(await from("198.51.100.4"), [200, true, 3, true]);
  assertEquals(await from("::ffff:198.51.100.4"), [200, true, 3, false]);
});

Deno.test("a /64 is one voter, and the networks of a /48 share a cap of 100 voters a day", async () => {
  await using app = await testApp();
  const path = await listed(app);
  const answers = [];
  for (let i = 0; i < 100; i++) {
    const address = `2001:db8:9:9:${(i * 131).toString(16)}::${i + 1}`;
    answers.push(await vote(app, path, "POST", { address }));
  }
  assertEquals(answers.filter(([, , , changed]) => changed).length, 1);
  const from = (n: number) => app.json(path, { method: "POST", address: `2001:db8:7:${n}::1` });
  for (let i = 0; i < 100; i++) assertEquals((await from(i)).status, 200);
  const refused = await from(100);
  assertEquals([refused.status, refused.body.error.details.limit], [429, 100]);
  assertEquals((await from(5)).body.changed, false);
  assertEquals((await app.json(path, { method: "POST", address: "2001:db8:8::1" })).status, 200);
  assertEquals((await app.json(path)).body.votes, 102);
  app.clock.advance(DAY_MS);
  assertEquals((await from(100)).status, 200);
});

Deno.test("a vote body of up to 1 KiB is ignored, and a larger one is payload_too_large", async () => {
  await using app = await testApp();
  const path = await listed(app);
  const send = (size: number) => app.json(path, { method: "POST", body: "x".repeat(size) });
  assertEquals((await send(1_024)).status, 200);
  const big = await send(1_025);
  assertEquals([big.status, big.body.error.code], [413, "payload_too_large"]);
});

Deno.test("a vote on a listing just hidden by another process is not_found", async () => {
  const kv = await Deno.openKv(":memory:");
  await using app = await testApp({ kv });
  const path = await listed(app);
  const slug = path.split("/").at(-2)!;
  const { value } = await kv.get<StoredListing>(listingKeys.one(slug));
  await kv.set(listingKeys.one(slug), { ...value!, state: "hidden" });
  const answer = await app.json(path, { method: "POST" });
  assertEquals([answer.status, answer.body.error.code], [404, "not_found"]);
  await kv.set(listingKeys.one(slug), value);
  assertEquals(await vote(app, path, "POST"), [200, true, 1, true]);
});

Deno.test("the vote form redirects only to a page of this site", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const base = app.deps.urls.base;
  for (
    const [referer, expected] of [
      [`${base}/projects?sort=new&offset=30`, `/projects?sort=new&offset=30#p-${slug}`],
      [`${base}/`, `/#p-${slug}`],
      [`${base}/p/${slug}`, `/p/${slug}#vote`],
      [`${base}/p/${slug}?utm_source=x`, `/p/${slug}?utm_source=x#vote`],
      [`${base}//evil.example/`, `/p/${slug}#vote`],
      [`${base}@evil.example/projects`, `/p/${slug}#vote`],
      ["https://evil.example/projects", `/p/${slug}#vote`],
      [`${base}.evil.example/`, `/p/${slug}#vote`],
      ["/projects", `/p/${slug}#vote`],
      ["javascript:alert(1)", `/p/${slug}#vote`],
      ["", `/p/${slug}#vote`],
    ]
  ) {
    const headers: Record<string, string> = referer === "" ? {} : { referer: referer! };
    const response = await app.request(`/p/${slug}/vote`, { form: {}, headers });
    assertEquals(
      [response.status, response.headers.get("location")],
      [303, base + expected],
      referer,
    );
  }
});
