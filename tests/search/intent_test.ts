import { assert, assertEquals } from "@std/assert";
import { APP_REQUESTS, APPS } from "../fixtures/apps.ts";
import {
  ABSENT,
  HELD_OUT,
  type SearchRequest,
  SHARED,
  TRIED,
} from "../fixtures/search_requests.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { callTool } from "../support/mcp.ts";
import { readRealProjects, toSubmission } from "../support/real_projects.ts";

/** The share of requests that must find a right project in the first ten results. */
const WANTED = 0.92;

/** The share of requests for what nobody offers that may claim a match. */
const CLAIMED = 0.05;

/** An app with some projects, by default the real ones, each submitted from its own network. */
async function directory(
  submissions: readonly Record<string, unknown>[] = readRealProjects().map(toSubmission),
): Promise<TestApp> {
  const app = await testApp();
  for (let i = 0; i < submissions.length; i += 20) {
    await Promise.all(
      submissions.slice(i, i + 20).map((json, n) =>
        app.json("/api/v1/projects", { json, address: `2001:db8:${(i + n).toString(16)}::1` })
      ),
    );
  }
  return app;
}

/** How to get the names of the first ten projects for a request on each surface. */
const surfaces: Record<string, (app: TestApp, q: string) => Promise<string[]>> = {
  async api(app, q) {
    const { body } = await app.json(`/api/v1/projects?limit=10&q=${encodeURIComponent(q)}`);
    return body.projects.map(({ name }: { name: string }) => name);
  },
  async page(app, q) {
    const page = await app.text(`/projects?limit=10&q=${encodeURIComponent(q)}`);
    const [list = ""] = /<ol class="rows.*?<\/ol>/s.exec(page) ?? [];
    return [...list.matchAll(/<h3 class="row-name"><a [^>]*>([^<]*)</g)].map(([, name]) => name!);
  },
  async mcp(app, q) {
    const { structuredContent } = await callTool(app, "search_projects", { query: q, limit: 10 });
    return structuredContent.projects.map(({ name }: { name: string }) => name);
  },
};

async function misses(
  app: TestApp,
  find: (app: TestApp, q: string) => Promise<string[]>,
  requests: readonly SearchRequest[],
): Promise<string[]> {
  const missed: string[] = [];
  for (const { q, expect } of requests) {
    const names = await find(app, q);
    assert(names.length > 0, `nothing at all for "${q}"`);
    if (!names.some((name) => expect.includes(name))) missed.push(`${q}: ${names.join(", ")}`);
  }
  return missed;
}

Deno.test("plain requests find the right project in the first ten results on every surface", async (t) => {
  await using app = await directory();
  for (const [surface, find] of Object.entries(surfaces)) {
    for (const [name, requests] of Object.entries({ SHARED, TRIED, HELD_OUT })) {
      await t.step(`${surface}, ${name}`, async () => {
        const missed = await misses(app, find, requests);
        const hit = 1 - missed.length / requests.length;
        assert(hit >= WANTED, `${hit.toFixed(2)}, not found for ${missed.join("; ")}`);
      });
    }
  }
  for (
    const [q, first] of [
      ["react forms", ["react-hook-form", "formik"]],
      ["parser", ["csv-parse", "parse5", "papaparse"]],
      ["pdf", ["pdf-lib", "pdfkit", "jspdf"]],
      ["nodemailer", ["nodemailer"]],
      ["puppet", ["puppeteer"]],
      ["nodemaler", ["nodemailer"]],
      ["date-fns", ["date-fns"]],
      ["socket.io", ["socket.io"]],
      ["React", ["react"]],
    ] as const
  ) {
    await t.step(`"${q}" finds the obvious project first`, async () => {
      for (const find of Object.values(surfaces)) {
        const [name] = await find(app, q);
        assert((first as readonly string[]).includes(name!), name);
      }
    });
  }
});

Deno.test("plain requests find the right app among apps for everybody", async () => {
  await using app = await directory(APPS);
  const missed = await misses(app, surfaces.api!, APP_REQUESTS);
  const hit = 1 - missed.length / APP_REQUESTS.length;
  assert(hit >= WANTED, `${hit.toFixed(2)}, not found for ${missed.join("; ")}`);
});

Deno.test("requests for what no project offers find only nearest projects", async () => {
  await using app = await directory();
  const claimed: string[] = [];
  for (const q of ABSENT) {
    const { body } = await app.json(`/api/v1/projects?q=${encodeURIComponent(q)}`);
    if (body.projects.length > 0 && !body.nearest) claimed.push(q);
  }
  assert(claimed.length <= CLAIMED * ABSENT.length, claimed.join(", "));
});

Deno.test("search results start with the best match unless another order is requested", async () => {
  await using app = await testApp();
  const list = async (query: string) => (await app.json(`/api/v1/projects?${query}`)).body;
  for (
    const [i, name] of ["Anvil maker", "Anvil", "Forge with an anvil", "Kiln"].entries()
  ) {
    const json = { name, url: `https://a${i}.example.com`, tagline: "Makes things" };
    await app.json("/api/v1/projects", { json });
    app.clock.advance(60_000);
  }
  const best = await list("q=anvil&explain=1");
  assertEquals([best.sort, best.nearest, best.projects[0].name], ["best", false, "Anvil"]);
  const scores = best.projects.map((p: { explain: { match: number } }) => p.explain.match);
  assertEquals(scores, scores.toSorted((a: number, b: number) => b - a));
  const newest = await list("q=anvil&sort=new");
  assertEquals(newest.sort, "new");
  assertEquals(newest.projects.map(({ name }: { name: string }) => name), [
    "Forge with an anvil",
    "Anvil",
    "Anvil maker",
  ]);
  const pages = [];
  for (let offset = 0; offset < 3; offset++) {
    pages.push(...(await list(`q=anvil&limit=1&offset=${offset}`)).projects);
  }
  assertEquals(
    pages.map(({ slug }) => slug),
    best.projects.map(({ slug }: { slug: string }) => slug),
    "no entry twice, and none lost",
  );
  const plain = await list("");
  assertEquals(["sort" in plain, "nearest" in plain], [false, false]);
});

Deno.test("if nothing matches well, every surface shows the closest entries and says so", async () => {
  await using app = await testApp();
  for (let i = 0; i < 12; i++) {
    const json = { name: `Server ${i}`, url: `https://s${i}.example.com`, tagline: "Serves" };
    await app.json("/api/v1/projects", { json, address: `2001:db8:${i}::1` });
  }
  const q = "zzyzx qqfoo wwbar server";
  const { body } = await app.json(`/api/v1/projects?q=${q}`);
  assertEquals([body.sort, body.nearest], ["best", true]);
  assert(body.projects.length > 0);
  const newest = (await app.json(`/api/v1/projects?q=${q}&sort=new`)).body;
  assertEquals([newest.sort, newest.projects], ["best", body.projects]);
  assert((await app.text(`/projects?q=${q}`)).includes(`Nothing matches all of “${q}”.`));
  assert((await app.text(`/projects?q=${q}&sort=new`)).includes('aria-current="true">Best'));
  const { structuredContent, content } = await callTool(app, "search_projects", {
    query: q,
    sort: "new",
  });
  assertEquals([structuredContent.sort, structuredContent.nearest], ["best", true]);
  assert(content[0].text.startsWith("No project matches the whole query."));
  for (const text of [await app.text(`/projects?q=${q}`), content[0].text]) {
    assert(text.includes("Try fewer or different words."));
  }
});

Deno.test("what a project says counts more than the tools it was built with", async () => {
  await using app = await testApp();
  const projects = [
    { name: "one", tagline: "Chats with Claude" },
    { name: "two", tagline: "Resizes pictures", builtWith: ["claude"] },
  ];
  for (const project of projects) {
    const json = { ...project, url: `https://${project.name}.example` };
    await app.json("/api/v1/projects", { json });
  }
  assertEquals(await surfaces.api!(app, "claude"), ["one", "two"]);
});

Deno.test("what a project says counts more than a word in its URL", async () => {
  await using app = await testApp();
  const urls = { Anvil: "https://kiln.example.com/kilns", Forge: "https://example.com/forge" };
  for (const [name, url] of Object.entries(urls)) {
    const tagline = name === "Forge" ? "Fires kilns" : "Something";
    await app.json("/api/v1/projects", { json: { name, url, tagline } });
  }
  assertEquals(await surfaces.api!(app, "kiln"), ["Forge", "Anvil"]);
});

Deno.test("a pasted URL finds its project first, however it is written", async () => {
  await using app = await testApp();
  const urls = {
    video: "https://www.youtube.com/watch?v=abcDEF123_-",
    store: "https://play.google.com/store/apps/details?id=org.example.app",
    route: "https://app.example.com/#/start",
    cafe: "https://кофейня.рф/меню",
    plain: "https://www.example.org/tools/",
  };
  for (const [name, url] of Object.entries(urls)) {
    const json = { name, url, tagline: "Something" };
    const { status } = await app.json("/api/v1/projects", { json });
    assertEquals(status, 201);
  }
  for (
    const [name, typed] of [
      ["video", "youtube.com/watch?v=abcDEF123_-"],
      ["video", urls.video],
      ["store", "play.google.com/store/apps/details?id=org.example.app"],
      ["route", "app.example.com/#/start"],
      ["cafe", "кофейня.рф/меню"],
      ["cafe", "xn--e1afmkfd4dj.xn--p1ai/меню"],
      ["plain", "example.org/tools"],
      ["plain", "http://example.org/tools/?utm_source=x"],
    ] as const
  ) {
    const q = typed.startsWith("xn--") ? `${new URL(urls.cafe).hostname}/меню` : typed;
    for (const [surface, find] of Object.entries(surfaces)) {
      const [first] = await find(app, q);
      assertEquals(first, name, `${surface}: ${q}`);
    }
  }
});
