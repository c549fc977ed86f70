import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { jobs, runJob } from "@/lib/app/crons.ts";
import { operations } from "@/lib/app/operations.ts";
import { needsNoCatalogue } from "@/lib/app/without_catalogue.ts";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { promotionKeys } from "@/lib/promotions/keys.ts";
import { PAGE_PATHS } from "@/lib/urls.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { rpc } from "../support/mcp.ts";
import { share } from "../support/skills.ts";

const jobNamed = (name: string) => jobs.find((job) => job.name === name)!;

/** An app whose catalogue `begin` starts to load; it isn't loaded until `end` is called. */
async function loadingApp() {
  const plain = await Deno.openKv(":memory:");
  const hold = Promise.withResolvers<void>();
  let holds = false;
  const kv = kvWith(plain, {
    async getMany(keys) {
      if (holds && keys[0]![0] === "snapshot") await hold.promise;
      return await plain.getMany(keys);
    },
  });
  const app = await testApp({ kv });
  let started: Promise<unknown>;
  const begin = () => {
    holds = true;
    started = app.deps.sync.start(app.deps.snapshots);
  };
  const end = () => {
    hold.resolve();
    return started;
  };
  return Object.assign(app, { begin, end });
}

Deno.test("while the catalogue loads, records, votes and writes respond as they do afterward", async () => {
  await using app = await loadingApp();
  const { editKey } = await submit(app, { name: "Inkwell", description: "Ink" });
  const { slug: skill } = await share(app);
  await app.request("/api/v1/projects/inkwell/vote", { method: "POST" });
  const { store } = app.deps;
  await store.transact((tx) => {
    tx.set(promotionKeys.one("inkwell"), { asOf: TEST_NOW, left: { "bump-3": 3 * DAY_MS } });
    tx.change({ kind: "listing", slug: "inkwell", event: "promoted" });
  });
  const { project: gem } = await submit(app, { name: "Gem" });
  await store.transact((tx) => {
    tx.set(listingKeys.gem(gem.slug), { note: "Few votes yet", since: TEST_NOW });
    tx.change({ kind: "listing", slug: gem.slug, event: "gem" });
  });
  await app.deps.placements.caughtUp();
  await app.deps.sync.caughtUp();
  app.begin();
  const read = () =>
    Promise.all([
      "/api/v1/projects/inkwell",
      "/api/v1/projects/gem",
      "/api/v1/projects/inkwell/badge.svg",
      "/api/v1/projects/inkwell/vote",
      "/go/inkwell",
      `/api/v1/skills/${skill}`,
      "/api/v1/meta",
      "/api/v1",
    ].map(async (path) => {
      const answer = await app.request(path, { redirect: "manual", userAgent: "Googlebot" });
      return [path, answer.status, answer.headers.get("location"), await answer.text()];
    }));
  const early = await read();
  const { project } = JSON.parse(String(early[0]![3]));
  assertEquals([project.promoted, project.promotion.tierId, project.votes], [true, "bump-3", 1]);
  assertEquals(JSON.parse(String(early[1]![3])).project.gem.note, "Few votes yet");
  const edit = { method: "PATCH", json: { tagline: "Holds ink" }, editKey };
  const edited = await app.json("/api/v1/projects/inkwell", edit);
  assertEquals([edited.status, edited.body.project.promoted, edited.body.project.votes], [
    200,
    true,
    1,
  ]);
  await submit(app, { name: "New" });
  assertEquals((await app.json("/api/v1/health")).status, 200);
  const found = await rpc(app, "tools/call", {
    name: "get_project",
    arguments: { slug: "inkwell" },
  });
  assertEquals(found.body.result.structuredContent.project.tagline, "Holds ink");
  assertEquals(app.deps.catalogue.isReady, false);
  await app.json("/api/v1/projects/inkwell", { ...edit, json: { tagline: project.tagline } });
  await app.end();
  assertEquals(
    (await read()).map((answer) => answer.toString().replace(/"updatedAt":"[^"]*"/, "")),
    early.map((answer) => answer.toString().replace(/"updatedAt":"[^"]*"/, "")),
  );
  assertEquals((await app.json("/api/v1/projects")).body.total, 3);
});

Deno.test("lists, search, pages and documents wait for the catalogue, and return 503 on timeout", async () => {
  await using app = await loadingApp();
  await submit(app);
  app.begin();
  const paths = ["/api/v1/projects", "/api/v1/skills?q=ink", "/api/v1/changes", "/llms.txt", "/"];
  const begun = performance.now();
  const answers = await Promise.all(paths.map((path) => app.request(path)));
  assert(performance.now() - begun >= 1_900, "they wait");
  for (const answer of answers) {
    assertEquals([answer.status, answer.headers.get("retry-after")], [503, "2"]);
  }
  const call = { name: "search_projects", arguments: { query: "ink" } };
  const { body } = await rpc(app, "tools/call", call);
  assertEquals(JSON.parse(body.result.content[0].text).error.code, "storage_unavailable");
  const waits = app.request("/api/v1/projects");
  await app.end();
  assertEquals((await (await waits).json()).total, 1);
});

Deno.test("a load on demand begins with any request, or with a job that needs the catalogues", async () => {
  const byRequest = async (app: TestApp) => {
    const { status, catalogue } = (await app.json("/api/v1/health")).body;
    assertEquals([status, catalogue.listings], ["ok", 1], "it waits for the load it began");
  };
  const byJob = (app: TestApp) => runJob(app.deps, jobNamed("gem-scout"));
  for (const begin of [byRequest, byJob]) {
    await using app = await testApp();
    await submit(app);
    const { catalogue, snapshots, sync } = app.deps;
    const started = sync.start(snapshots, { onDemand: true });
    for (const name of ["ai-of-the-day", "snapshot"]) await runJob(app.deps, jobNamed(name));
    assertEquals([sync.isPutOff, catalogue.isReady], [true, false]);
    await begin(app);
    await started;
    assertEquals((await app.json("/api/v1/projects")).body.total, 1);
  }
});

Deno.test("a load on demand begins with the job that must replace a snapshot before it expires", async () => {
  await using app = await testApp();
  const { clock, snapshots, sync } = app.deps;
  await submit(app);
  await snapshots.write(() => Promise.resolve());
  await submit(app, { name: "Later" });
  const started = sync.start(snapshots, { onDemand: true });
  await runJob(app.deps, jobNamed("snapshot"));
  assertEquals(sync.isPutOff, true);
  app.clock.set(clock.now() + HOUR_MS / 2);
  await runJob(app.deps, jobNamed("snapshot"));
  assertEquals(sync.isPutOff, false);
  await started;
  assertEquals((await app.json("/api/v1/projects")).body.total, 2);
});

Deno.test("while the catalogue loads, exactly the paths that need it return 503", async () => {
  await using app = await loadingApp();
  await submit(app, { name: "Inkwell" });
  await share(app);
  app.begin();
  const reads = operations.filter(({ method, path }) => method === "GET" && !path.includes("{"))
    .map(({ path }) => path);
  const statuses = await Promise.all([...reads, ...PAGE_PATHS].map(async (path) => {
    const answer = await app.request(path);
    if (needsNoCatalogue("GET", path)) assertNotEquals(answer.status, 503, path);
    else assertEquals(answer.status, 503, path);
    return answer.status;
  }));
  assert(statuses.includes(503) && statuses.includes(200));
  await app.end();
});
