import { assert, assertEquals } from "@std/assert";
import { jobs, runJob } from "@/lib/crons.ts";
import { FaultKv } from "../fault/fault_kv.ts";
import { testApp } from "../support/app.ts";

Deno.test("GET /api/v1/health says what is well, uncached", async () => {
  await using app = await testApp();
  const { status, headers, body } = await app.json("/api/v1/health");
  assertEquals([status, body.status, body.problems], [200, "ok", []]);
  assertEquals(headers.get("cache-control"), "private, no-store");
  assertEquals(body.jobs.map((job: { name: string }) => job.name), jobs.map(({ name }) => name));
});

Deno.test("GET /api/v1/health is degraded when a job failed or the catalogue is behind", async () => {
  await using app = await testApp();
  const failing = { ...jobs[0]!, run: () => Promise.reject(new Error("no")) };
  await runJob(app.deps, failing);
  app.clock.advance(60_000);
  const { body } = await app.json("/api/v1/health");
  assertEquals(body.status, "degraded");
  assertEquals(body.problems, [
    "The catalogue is behind other processes",
    `The last run of ${failing.name} failed`,
  ]);
});

Deno.test("GET /api/v1/health is storage_unavailable while KV takes no write, and well again after, without a restart (F5)", async () => {
  const plain = await Deno.openKv(":memory:");
  const kv = new FaultKv(plain, { seed: 1, rates: {} });
  await using app = await testApp({ kv });
  const submit = () =>
    app.json("/api/v1/projects", {
      json: { name: "Full", url: "https://full.example.com", tagline: "x" },
    });
  assertEquals((await submit()).status, 201);
  kv.rates = { throw_before: 1 };
  const down = await app.json("/api/v1/health");
  assertEquals([down.status, down.body.error.code], [503, "storage_unavailable"]);
  assert(down.headers.has("retry-after"));
  assertEquals((await app.json("/api/v1/projects/full")).status, 200, "reads go on");
  assertEquals((await app.json("/api/v1/projects/full/vote", { method: "POST" })).status, 503);
  kv.rates = {};
  assertEquals((await app.json("/api/v1/health")).status, 200);
  assertEquals((await app.json("/api/v1/projects/full/vote", { method: "POST" })).body.votes, 1);
});
