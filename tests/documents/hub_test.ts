import { assertEquals, assertStringIncludes } from "@std/assert";
import { toolSlug } from "@/lib/catalog/tools.ts";
import { MINUTE_MS } from "@/lib/clock.ts";
import { type Deps, pingHub } from "@/lib/documents/hub.ts";
import { WebDouble } from "../fetching/web_double.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

const HUB = "http://hub.example/";
const BASE = "http://projectory.test";
const env = { WEBSUB_HUB: HUB, FETCHER_PORT: "9" };

/** A site with a local hub that records the URLs it is pinged about. */
async function withHub() {
  const web = new WebDouble();
  const told: string[] = [];
  let status = 204;
  web.serve("hub.example", async (req) => {
    const form = await req.formData();
    assertEquals([req.method, form.get("hub.mode")], ["POST", "publish"]);
    told.push(String(form.get("hub.url")).slice(BASE.length));
    return new Response(null, { status });
  });
  const app = await testApp({ env });
  const deps: Deps = { ...app.deps, fetcher: web.fetcher };
  return {
    app,
    deps,
    told,
    answer: (next: number) => status = next,
    /** Runs the job and returns the pinged paths, sorted. */
    async run(): Promise<string[]> {
      told.length = 0;
      await pingHub(deps, app.clock.now());
      return [...told].sort();
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await web[Symbol.asyncDispose]();
    },
  };
}

const both = (...pages: string[]) =>
  pages.flatMap((page) => [`${page}/feed.json`, `${page}/feed.xml`]).sort();

Deno.test("the hub is pinged about each feed that a project, skill or withdrawal changes, and no others", async () => {
  await using at = await withHub();
  const { app, run } = at;
  assertEquals(await run(), [], "feeds that nobody can have subscribed to yet");
  const { project: { slug }, editKey } = await submit(app, {
    category: "game",
    builtWith: ["claude"],
    tags: ["x"],
  });
  assertEquals(await run(), both("", "/c/game", "/t/claude"));
  assertEquals(await run(), [], "told once");
  await share(app);
  assertEquals(await run(), both("/skills"));
  app.clock.advance(10 * MINUTE_MS);
  await app.json(`/api/v1/projects/${slug}/vote`, { method: "POST" });
  assertEquals(await run(), [], "votes are in no feed");
  await app.json(`/api/v1/projects/${slug}`, { method: "DELETE", editKey });
  assertEquals(await run(), both("", "/c/game", "/t/claude"));
});

Deno.test("a feed is pinged only once in ten minutes, and later changes after that", async () => {
  await using at = await withHub();
  const { app, run } = at;
  await run();
  await submit(app, { category: "game" });
  assertEquals(await run(), both("", "/c/game"));
  await submit(app, { category: "saas" });
  assertEquals(await run(), both("/c/saas"));
  app.clock.advance(10 * MINUTE_MS - 1);
  assertEquals(await run(), []);
  app.clock.advance(1);
  assertEquals(await run(), both(""));
});

Deno.test("a refused or failed ping is sent again after ten minutes", async () => {
  await using at = await withHub();
  const { app, run } = at;
  await run();
  at.answer(500);
  await submit(app, { category: "game" });
  assertEquals(await run(), ["/c/game/feed.xml", "/feed.xml"], "the other form waits");
  at.answer(204);
  assertEquals(await run(), []);
  app.clock.advance(10 * MINUTE_MS);
  const { fetcher } = at.deps;
  at.deps.fetcher = { ...fetcher!, post: () => Promise.reject(new Error("away")) };
  assertEquals(await run(), []);
  at.deps.fetcher = fetcher;
  app.clock.advance(10 * MINUTE_MS);
  assertEquals(await run(), both("", "/c/game"));
});

Deno.test("only one of several processes pings, and the next run sends what exceeds one run", async () => {
  await using at = await withHub();
  const { app, deps, run, told } = at;
  await run();
  await submit(app, { category: "game" });
  await Promise.all([pingHub(deps, app.clock.now()), pingHub(deps, app.clock.now())]);
  assertEquals(told.sort(), both("", "/c/game"));
  app.clock.advance(10 * MINUTE_MS);
  const slugs = toolSlug.options.slice(0, 20);
  for (let i = 0; i < slugs.length; i += 5) {
    await submit(app, { category: null, builtWith: slugs.slice(i, i + 5) });
  }
  const runs = [await run(), await run(), await run()];
  assertEquals(runs.map(({ length }) => length), [30, 12, 0]);
  assertEquals(runs.flat().sort(), both("", ...slugs.map((slug) => `/t/${slug}`)));
});

async function links(app: TestApp, path: string) {
  const answer = await app.request(path);
  return { header: answer.headers.get("link"), body: await answer.text() };
}

Deno.test("feeds link to the hub and themselves, except tag feeds and sites without a working hub", async () => {
  await using app = await testApp({ env });
  await submit(app, { tags: ["tide"] });
  for (const page of ["", "/skills", "/gems", "/c/game", "/t/claude"]) {
    for (const path of both(page)) {
      const { header, body } = await links(app, path);
      assertEquals(header, `<${HUB}>; rel="hub", <${BASE}${path}>; rel="self"`);
      const named = path.endsWith(".xml")
        ? `<atom:link href="${HUB}" rel="hub"/>`
        : `"hubs":[{"type":"WebSub","url":"${HUB}"}]`;
      assertStringIncludes(body, named);
    }
  }
  await using none = await testApp();
  await using alone = await testApp({ env: { WEBSUB_HUB: HUB } });
  await submit(none, {});
  for (
    const [site, path] of [[app, "/tags/tide/feed.xml"], [none, "/feed.xml"], [
      alone,
      "/feed.json",
    ]] as const
  ) {
    const { header, body } = await links(site, path);
    assertEquals([header, /hub/.test(body)], [null, false], path);
    if (site !== app) assertEquals(await pingHub({ ...site.deps, fetcher: null }, 0), false);
  }
});
