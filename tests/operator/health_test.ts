import { assert, assertEquals, assertMatch } from "@std/assert";
import { jobs, runJob } from "@/lib/app/crons.ts";
import { DAY_MS, isoTime, MINUTE_MS } from "@/lib/clock.ts";
import { freeBytes } from "@/lib/kv/disk_guard.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { SCHEMA_VERSION } from "@/lib/migrations.ts";
import { diskProblem } from "@/lib/operator/health.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { settlePayments } from "@/lib/payments/jobs.ts";
import { setSwitches } from "@/lib/switches.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { faultKv } from "../support/fault_kv.ts";
import { kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { AUCTION_ID, paidApp } from "../support/payments.ts";

Deno.test("GET /api/v1/health reports ok, uncached", async () => {
  await using app = await paidApp({ now: TEST_NOW, env: { FETCHER_PORT: "9" } });
  const { status, headers, body } = await app.json("/api/v1/health");
  assertEquals([status, body.status, body.problems], [200, "ok", []]);
  assertEquals(headers.get("cache-control"), "private, no-store");
  assertEquals(body.jobs.map((job: { name: string }) => job.name), jobs.map(({ name }) => name));
  app.clock.advance(MINUTE_MS);
  assertEquals((await app.json("/api/v1/health")).body.startedAt, isoTime(TEST_NOW));
});

Deno.test("GET /api/v1/health is degraded when a job failed or the catalogue is behind", async () => {
  const plain = await Deno.openKv(":memory:");
  const kv = kvWith(plain, {
    get: (key) => key[0] === "revision" ? Promise.reject(new Error("down")) : plain.get(key),
  });
  await using app = await testApp({ kv });
  const failing = { ...jobs[0]!, run: () => Promise.reject(new Error("no")) };
  await runJob(app.deps, failing);
  app.clock.advance(60_000);
  const { body } = await app.json("/api/v1/health");
  assertEquals(body.status, "degraded");
  assertEquals(body.problems, [
    "Lists lag behind other processes",
    `The last run of ${failing.name} failed`,
  ]);
});

Deno.test("GET /api/v1/health shows the schema version, and is degraded if the program needs another", async () => {
  await using app = await testApp();
  assertEquals((await app.json("/api/v1/health")).body.schemaVersion, SCHEMA_VERSION);
  await app.deps.store.kv.atomic().set([...storeKeys.schemaVersion], SCHEMA_VERSION + 1).commit();
  app.clock.advance(6_000);
  const { body } = await app.json("/api/v1/health");
  assertEquals([body.status, body.schemaVersion], ["degraded", SCHEMA_VERSION + 1]);
  assertMatch(body.problems[0], /^The database has schema version \d+, but this server needs \d+/);
});

Deno.test("GET /api/v1/health is degraded for a day after a new salt was accepted", async () => {
  await using app = await testApp();
  await app.deps.store.kv.atomic().set([...storeKeys.saltAcceptedAt], app.clock.now()).commit();
  const problems = async () => (await app.json("/api/v1/health")).body.problems.join();
  for (
    const [wait, isTold] of [[0, true], [DAY_MS - MINUTE_MS, true], [MINUTE_MS, false]] as const
  ) {
    app.clock.advance(wait);
    assertEquals((await problems()).includes("A new salt was accepted"), isTold, `${wait}`);
  }
});

Deno.test("GET /api/v1/health is degraded while the last backup is one that failed", async () => {
  await using app = await testApp();
  for (const ok of [false, true]) {
    await app.deps.store.kv.atomic().set(storeKeys.jobRun("backup"), { at: 0, ok }).commit();
    app.clock.advance(MINUTE_MS);
    const { problems } = (await app.json("/api/v1/health")).body;
    assertEquals(problems.join().includes("The last backup failed"), !ok);
  }
});

Deno.test("diskProblem reports that less than 500 MB is free, or that free space is unknown", async () => {
  for (
    const [free, problem] of [
      [499_999_999, "The database disk has less than 500 MB free"],
      [500_000_000, null],
      [null, null],
    ] as const
  ) assertEquals(await diskProblem(() => Promise.resolve(free)), problem);
  for (
    const [error, reason] of [
      [new Deno.errors.NotCapable("Requires sys access"), "the server needs --allow-sys=statfs"],
      [new Error("ENOENT: no such file"), "ENOENT: no such file"],
    ] as const
  ) {
    assertEquals(
      await diskProblem(() => Promise.reject(error)),
      `Free disk space is unknown: ${reason}`,
    );
  }
  assertEquals(await freeBytes({ kvPath: ":memory:" }), null);
  assertEquals(await freeBytes({ kvPath: "https://kv.example.com" }), null);
  assert(await freeBytes({ kvPath: "./kv.sqlite3" }) !== null);
});

Deno.test("GET /api/v1/health is degraded by a disk problem", async () => {
  await using app = await testApp({ env: { KV_PATH: "no-such-folder/kv.sqlite3" } });
  const { status, body } = await app.json("/api/v1/health");
  assertEquals([status, body.status], [200, "degraded"]);
  assertEquals(body.problems.length, 1);
  assert(body.problems[0].startsWith("Free disk space is unknown: "));
});

Deno.test("GET /api/v1/health is storage_unavailable while KV takes no writes, and recovers by itself", async () => {
  const plain = await Deno.openKv(":memory:");
  const { kv, faults } = faultKv(plain, { seed: 1, rates: {} });
  await using app = await testApp({ kv });
  const submit = () =>
    app.json("/api/v1/projects", {
      json: { name: "Full", url: "https://full.example.com", tagline: "x" },
    });
  assertEquals((await submit()).status, 201);
  faults.rates = { throw_before: 1 };
  const down = await app.json("/api/v1/health");
  assertEquals([down.status, down.body.error.code], [503, "storage_unavailable"]);
  assert(down.headers.has("retry-after"));
  assertEquals((await app.json("/api/v1/projects/full")).status, 200, "reads continue");
  assertEquals((await app.json("/api/v1/projects/full/vote", { method: "POST" })).status, 503);
  faults.rates = {};
  assertEquals((await app.json("/api/v1/health")).status, 200);
  assertEquals((await app.json("/api/v1/projects/full/vote", { method: "POST" })).body.votes, 1);
});

Deno.test("GET /api/v1/health is storage_unavailable if KV doesn't respond to a write", async () => {
  let locked = Promise.resolve();
  const kv = kvWith(await Deno.openKv(":memory:"), { commit: (land) => locked.then(land) });
  await using app = await testApp({ kv });
  const { promise, resolve: unlock } = Promise.withResolvers<void>();
  locked = promise;
  const { status, body } = await app.json("/api/v1/health");
  assertEquals([status, body.error.code], [503, "storage_unavailable"]);
  unlock();
  assertEquals((await app.json("/api/v1/health")).status, 200);
});

Deno.test("GET /api/v1/health shows how many wait in the queues and for how long", async () => {
  await using app = await testApp();
  const queues = async () => {
    app.clock.advance(10_000);
    return (await app.json("/api/v1/health")).body.queues;
  };
  assertEquals(await queues(), {
    review: { waiting: 0, oldestAgeSeconds: null },
    reports: { oldestAgeSeconds: null },
    operations: { waiting: 0, oldestAgeSeconds: null },
  });
  const { project: { slug } } = await submit(app);
  const report = { kind: "listing", slug, reason: "spam" };
  assertEquals((await app.json("/api/v1/reports", { json: report })).status, 201);
  await setSwitches(app.deps.store, { review: true });
  const waiting = [(await submit(app)).project.slug, (await submit(app)).project.slug];
  app.clock.advance(60_000);
  const { review, reports } = await queues();
  assertEquals(review, { waiting: 2, oldestAgeSeconds: 70 });
  assertEquals(reports, { oldestAgeSeconds: 70 });
  const second = await testApp({ kv: app.deps.store.kv, now: app.clock.now() });
  assertEquals((await second.json("/api/v1/health")).body.queues.review.waiting, 2);
  await moveListing(app.deps, { slug: waiting[0]!, step: "approve" });
  assertEquals((await queues()).review, { waiting: 1, oldestAgeSeconds: 80 });
});

Deno.test("GET /api/v1/health is degraded for a day after a payment alert", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const { body } = await app.json("/api/v1/promote", { json: { slug, tierId: "bump-3" } });
  const session = app.sessionOf(body.checkoutUrl);
  app.stripe.pay(session);
  app.stripe.sessions.get(session)!.amount_total = 1;
  await app.deliverAll();
  const problem = "There was a payment alert in the last day: see payments status";
  const problems = async () => (await app.json("/api/v1/health")).body.problems as string[];
  assert((await problems()).includes(problem));
  app.clock.advance(DAY_MS);
  assertEquals((await problems()).includes(problem), false);
});

Deno.test("GET /api/v1/health is degraded by a Stripe operation stuck for ten minutes or a hold that ends early", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const bid = async (amountCents: number, captureBefore: string) => {
    const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug, amountCents },
    });
    app.stripe.pay(app.sessionOf(body.checkoutUrl));
    const { card } = [...app.stripe.charges.values()].at(-1)!.payment_method_details!;
    card!.capture_before = Date.parse(captureBefore) / 1000;
    await app.deliverAll();
  };
  const health = async () => {
    app.clock.advance(6_000);
    const { problems, payments, queues } = (await app.json("/api/v1/health")).body;
    return [
      problems.filter((problem: string) => /provider|hold/.test(problem)),
      payments.openHolds,
      queues.operations.waiting,
      payments.stuckOperations,
    ];
  };
  const settle = async (minutes: number) => {
    app.clock.advance(minutes * MINUTE_MS);
    await settlePayments(app.deps);
  };
  await bid(1000, "2026-11-22T23:00:01Z");
  assertEquals(await health(), [[], 1, 0, 0]);
  await bid(1100, "2026-11-22T23:00:00Z");
  assertEquals(await health(), [["A card hold expires before its auction closes"], 1, 0, 0]);
  for (let i = 0; i < 6; i++) app.stripe.fail("http_500", /cancel$/);
  await bid(1300, "2026-11-25T00:00:00Z");
  for (let i = 0; i < 4; i++) await settle(2);
  assertEquals(await health(), [[], 1, 1, 0]);
  await settle(2);
  assertEquals(await health(), [["Operations at the payment provider are stuck"], 1, 1, 1]);
  await settle(10);
  assertEquals(await health(), [[], 1, 0, 0]);
  // Where the job runs every ten minutes, a call that fails every time has failed twice by then.
  for (let i = 0; i < 2; i++) app.stripe.fail("http_500", /cancel$/);
  await bid(1500, "2026-11-25T00:00:00Z");
  await settle(9);
  assertEquals(await health(), [[], 1, 1, 0]);
  app.clock.advance(MINUTE_MS);
  assertEquals(await health(), [["Operations at the payment provider are stuck"], 1, 1, 1]);
});

Deno.test("GET /api/v1/health is degraded when a job is overdue", async () => {
  await using app = await paidApp({ now: TEST_NOW });
  for (const job of jobs) await runJob(app.deps, job);
  app.clock.advance(31 * MINUTE_MS);
  await app.deps.tail.poll();
  const { body } = await app.json("/api/v1/health");
  assertEquals([body.status, body.problems], [
    "degraded",
    ["The job settle-payments did not run when it should have"],
  ]);
});

Deno.test("GET /api/v1/health is degraded if its clock is over a minute behind another server's", async () => {
  await using behind = await testApp();
  const { store } = behind.deps;
  const ahead = await testApp({ kv: store.kv, now: TEST_NOW + MINUTE_MS });
  const problems = async () => {
    behind.clock.advance(6_000);
    await behind.deps.tail.poll();
    return (await behind.json("/api/v1/health")).body.problems;
  };
  const settle = jobs.find(({ name }) => name === "settle-payments")!;
  await runJob(ahead.deps, settle);
  assertEquals(await problems(), []);
  ahead.clock.advance(12_000);
  await runJob(ahead.deps, settle);
  assertEquals(await problems(), [
    "This server's clock was set back or is behind another server's, so changes can be missed",
  ]);
  await runJob(behind.deps, settle);
  assertEquals(await problems(), []);
  // A health check of the other server records its time too, even if its jobs have nothing to do.
  ahead.clock.advance(20_000);
  await ahead.json("/api/v1/health");
  assertEquals((await problems()).length, 1);
  assertEquals(await problems(), []);
});
