import { assert, assertEquals, assertMatch } from "@std/assert";
import { type TestApp, testApp } from "../support/app.ts";
import { faultKv } from "../support/fault_kv.ts";
import { kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

/** One visitor's view of a page: its status, whether its button is pressed, and its count. */
async function look(app: TestApp, path: string, userAgent = "Mozilla/5.0 A") {
  const response = await app.request(path, { userAgent });
  const html = await response.text();
  const button = /class="vote"[\s\S]*?aria-pressed="(true|false)"[\s\S]*?class="count">(\d+)</.exec(
    html,
  );
  return {
    status: response.status,
    headers: response.headers,
    pressed: button?.[1],
    count: button?.[2],
    props: /"voted":(true|false|null)/.exec(html.replaceAll("&quot;", '"'))?.[1],
  };
}

async function makePages(app: TestApp) {
  const { project } = await submit(app);
  const { slug } = await share(app);
  return [
    [`/p/${project.slug}`, `/api/v1/projects/${project.slug}/vote`],
    [`/skills/${slug}`, `/api/v1/skills/${slug}/vote`],
  ] as const;
}

Deno.test("a cached page shows each visitor their own vote (invariant 33)", async () => {
  await using app = await testApp();
  for (const [page, vote] of await makePages(app)) {
    const seen = async (who: string) => {
      const { pressed, count } = await look(app, page, `Mozilla/5.0 ${who}`);
      return [pressed, count];
    };
    assertEquals(await seen("A"), ["false", "0"]);
    await app.json(vote, { method: "POST", userAgent: "Mozilla/5.0 A" });
    assertEquals(await seen("A"), ["true", "1"]);
    assertEquals(await seen("B"), ["false", "1"]);
    assertEquals(await seen("A"), ["true", "1"]);
    await app.json(vote, { method: "DELETE", userAgent: "Mozilla/5.0 A" });
    assertEquals(await seen("A"), ["false", "0"]);
  }
});

Deno.test("a page with the caller's vote isn't cached or readable by other sites (invariant 33)", async () => {
  await using app = await testApp();
  for (const [page, vote] of await makePages(app)) {
    await app.json(vote, { method: "POST", userAgent: "Mozilla/5.0 A" });
    for (let visit = 0; visit < 2; visit++) {
      const { headers } = await look(app, page, "Mozilla/5.0 A");
      assertEquals(headers.get("cache-control"), "private, no-store");
      assertEquals(headers.get("access-control-allow-origin"), null);
      assertEquals(headers.get("cross-origin-resource-policy"), "same-origin");
      assertMatch(headers.get("link")!, /rel="alternate"; type="text\/markdown"/);
    }
  }
});

Deno.test("an entry's page can be cached with revalidation by those who haven't voted", async () => {
  await using app = await testApp();
  for (const [page, vote] of await makePages(app)) {
    const userAgent = "Mozilla/5.0 A";
    const ask = (etag: string) =>
      app.request(page, { headers: { "if-none-match": etag }, userAgent });
    const first = await ask("");
    const etag = first.headers.get("etag")!;
    assertEquals([first.status, first.headers.get("cache-control")], [200, "private, no-cache"]);
    assertEquals(first.headers.get("access-control-allow-origin"), null);
    assertEquals(first.headers.get("cross-origin-resource-policy"), "same-origin");
    assertEquals((await ask(etag)).status, 304);
    await app.json(vote, { method: "POST", userAgent });
    const voted = await ask(etag);
    assertEquals([voted.status, voted.headers.get("cache-control")], [200, "private, no-store"]);
    await app.json(vote, { method: "DELETE", userAgent });
    assertEquals((await ask(etag)).status, 304);
  }
});

Deno.test("a page's ETag gets a 304 only for the same view and count (invariant 33)", async () => {
  await using app = await testApp();
  for (const [page, vote] of await makePages(app)) {
    const ask = async (who: string, etag: string) => {
      const headers = { "if-none-match": etag };
      const response = await app.request(page, { headers, userAgent: `Mozilla/5.0 ${who}` });
      await response.body?.cancel();
      return [response.status, response.headers.get("cache-control")];
    };
    const cast = (who: string, method: "POST" | "DELETE") =>
      app.json(vote, { method, userAgent: `Mozilla/5.0 ${who}` });
    await cast("A", "POST");
    const own = (await look(app, page, "Mozilla/5.0 A")).headers.get("etag")!;
    const others = (await look(app, page, "Mozilla/5.0 B")).headers.get("etag")!;
    // A client that sends this ETag kept the page, and the same page must not be stored again.
    assertEquals(await ask("A", own), [304, "private, no-store"]);
    assertEquals(await ask("B", others), [304, "private, no-cache"]);
    assertEquals(await ask("A", others), [200, "private, no-store"]);
    assertEquals(await ask("B", own), [200, "private, no-cache"]);
    await cast("C", "POST");
    assertEquals(await ask("A", own), [200, "private, no-store"]);
    await cast("A", "DELETE");
    assertEquals(await ask("A", own), [200, "private, no-cache"]);
    // With the same count as before, B's page is the same again.
    assertEquals(await ask("A", others), [304, "private, no-cache"]);
  }
});

Deno.test("cached pages have a bounded total size, and unused ones are evicted", async () => {
  const kv = await Deno.openKv(":memory:");
  let rendered = 0;
  const counting = kvWith(kv, {
    getMany(keys) {
      if (JSON.stringify(keys).includes("skill_contents")) rendered++;
      return kv.getMany(keys);
    },
  });
  await using app = await testApp({ kv: counting });
  const content = "a\n".repeat(9_900);
  const { slug } = await share(app, { content });
  const read = async (n: number) => {
    const before = rendered;
    const { length } = await app.text(`/skills/${slug}?n=${n}`);
    return { length, isKept: rendered === before };
  };
  const { length } = await read(0);
  assertEquals((await read(0)).isKept, true);
  const fits = Math.floor(16_000_000 / length);
  assert(fits < 40, "the page is long");
  for (let n = 1; n <= fits; n++) {
    assertEquals((await read(n)).isKept, false);
    if (n % 5 === 0) assertEquals((await read(0)).isKept, true);
  }
  assertEquals((await read(fits)).isKept, true);
  assertEquals((await read(1)).isKept, false, "it made room");
});

Deno.test("a listing is shown while storage fails, with its vote marked as unknown", async () => {
  const { kv, faults } = faultKv(await Deno.openKv(":memory:"), { seed: 1, rates: {} });
  await using app = await testApp({ kv });
  const { project } = await submit(app);
  const page = `/p/${project.slug}`;
  assertEquals((await look(app, page)).props, "false");
  faults.rates = { read_throws: 1 };
  const { status, headers, pressed, props } = await look(app, page);
  assertEquals([status, pressed, props], [200, "false", "null"]);
  assertEquals(headers.get("cache-control"), "private, no-store");
  assertEquals((await look(app, "/p/never-listed")).status, 503);
  faults.rates = {};
  assertEquals((await look(app, page)).props, "false");
});

Deno.test("a listing and a skill are shown while storage hangs, without the caller's vote", async () => {
  await using app = await testApp();
  const pages = await makePages(app);
  for (const [page] of pages) assertEquals((await look(app, page)).props, "false");
  app.deps.store.get = () => new Promise(() => {});
  for (const [page] of pages) {
    const { status, props } = await look(app, page);
    assertEquals([status, props], [200, "null"]);
  }
});
