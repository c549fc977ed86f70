import { assert, assertEquals } from "@std/assert";
import { jobs, runJob, startJobs } from "@/lib/app/crons.ts";
import { MINUTE_MS } from "@/lib/clock.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import type { JobRun } from "@/lib/operator/jobs.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { paidApp } from "../support/payments.ts";
import { until } from "../support/until.ts";
import { BROWSER } from "../support/user_agents.ts";

/** A KV that counts its reads and writes. Each key and each list is a read. */
async function countingKv() {
  const counts = { reads: 0, writes: 0 };
  const plain = await Deno.openKv(":memory:");
  const kv = kvWith(plain, {
    get: (key) => (counts.reads++, plain.get(key)),
    getMany: (keys) => (counts.reads += keys.length, plain.getMany<unknown[]>(keys)),
    list: (selector, options) => (counts.reads++, plain.list(selector, options)),
    commit: (land) => (counts.writes++, land()),
  });
  return { kv, counts };
}

/** Registers the jobs as at startup. Returns a function that runs what is due in the next minutes. */
function schedule(app: TestApp): (minutes: number) => Promise<void> {
  const crons: { schedule: string; run: () => Promise<void> }[] = [];
  const real = Object.getOwnPropertyDescriptor(Deno, "cron")!;
  const value = (_: string, schedule: string, run: () => Promise<void>) => {
    crons.push({ schedule, run });
  };
  Object.defineProperty(Deno, "cron", { value, configurable: true });
  try {
    startJobs(app.deps.env, Promise.resolve(app.deps));
  } finally {
    Object.defineProperty(Deno, "cron", real);
  }
  return async (minutes) => {
    for (let i = 0; i < minutes; i++) {
      app.clock.advance(MINUTE_MS);
      const now = new Date(app.clock.now());
      for (const { schedule, run } of crons) {
        const [minute, hour] = schedule.split(" ");
        if (fits(minute!, now.getUTCMinutes()) && fits(hour!, now.getUTCHours())) await run();
      }
    }
  };
}

/** Waits for the runs that startup begins. Each records itself when it ends. */
async function firstRuns({ deps }: TestApp): Promise<void> {
  for (const { name } of deps.jobs) {
    const isNoted = async () => (await deps.store.get(storeKeys.jobRun(name))).value !== null;
    await until(`the first run of ${name}`, isNoted);
  }
}

/** Whether a field of a schedule matches a number: `*`, `*`+`/10`, `6-23` or `0,3`. */
function fits(field: string, number: number): boolean {
  return field.split(",").some((part) => {
    const [range, step] = part.split("/");
    if (range === "*") return number % Number(step ?? 1) === 0;
    const [from, to] = range!.split("-").map(Number);
    return number >= from! && number <= (to ?? from!);
  });
}

Deno.test("an idle process without Stripe's key never accesses KV, and registers no payment jobs", async () => {
  const { kv, counts } = await countingKv();
  await using app = await testApp({ kv });
  const pass = schedule(app);
  await firstRuns(app);
  await pass(4);
  await app.deps.store.idle();
  Object.assign(counts, { reads: 0, writes: 0 });
  await pass(10);
  assertEquals(counts, { reads: 0, writes: 0 });
  assertEquals(app.deps.jobs.map(({ name }) => name), [
    "gem-scout",
    "ai-of-the-day",
    "snapshot",
    "dump",
  ]);
  // Running such a job anyway does nothing either.
  for (const { needsStripe, run } of jobs) {
    if (needsStripe) assertEquals(await run(app.deps, app.clock.now()), false);
  }
  assertEquals(counts, { reads: 0, writes: 0 });
});

for (
  const [where, env, most] of [
    ["", {}, { reads: 2 * 24 * 60, writes: 24 * 60 }],
    [" on Deno Deploy", { DENO_DEPLOYMENT_ID: "x" }, { reads: 24 * 60, writes: 8 * 60 }],
  ] as const
) {
  Deno.test(`an idle process with Stripe's key rarely accesses KV${where}, and no job is late`, async () => {
    const { kv, counts } = await countingKv();
    await using app = await paidApp({ kv, env });
    const pass = schedule(app);
    await firstRuns(app);
    await pass(4);
    await app.deps.store.idle();
    Object.assign(counts, { reads: 0, writes: 0 });
    await pass(24 * 60);
    const { reads, writes } = counts;
    assert(reads <= most.reads, `${reads} reads in a day`);
    assert(writes <= most.writes, `${writes} writes in a day`);
    for (let i = 0; i < 30; i++) {
      await pass(1);
      const { body } = await app.json("/api/v1/health");
      const late = body.problems.filter((problem: string) => problem.startsWith("The job"));
      assertEquals(late, []);
    }
  });
}

Deno.test("a run that did nothing is recorded only after half the allowed gap, or after a failure", async () => {
  await using app = await testApp();
  const noted = new Map<string, JobRun>();
  const run = async (what: () => Promise<unknown>, minutes = 1) => {
    app.clock.advance(minutes * MINUTE_MS);
    await runJob(
      app.deps,
      { ...jobs[0]!, name: "probe", maxGapMs: 10 * MINUTE_MS, run: what },
      noted,
    );
    const { value } = await app.deps.store.get<JobRun>(storeKeys.jobRun("probe"));
    return value!.at === app.clock.now() ? value!.ok : null;
  };
  const idle = () => Promise.resolve(false);
  assertEquals(await run(idle), true);
  assertEquals(await run(idle, 4), null);
  assertEquals(await run(idle), true);
  assertEquals(await run(() => Promise.resolve()), true);
  assertEquals(await run(() => Promise.reject(new Error("broken"))), false);
  assertEquals(await run(idle), true);
  assertEquals(await run(idle), null);
});

Deno.test("a page needs few KV reads however many votes the poll has, since platforms bill each", async () => {
  const { kv, counts } = await countingKv();
  await using app = await testApp({ kv });
  await submit(app, { name: "Inkwell" });
  for (let i = 0; i < 20; i++) {
    const json = { candidate: "claude", reason: `Reason ${i}` };
    const headers = { "x-agent-name": `Agent ${i}` };
    await app.json("/api/v1/poll/vote", { json, headers, address: `198.51.${i}.1` });
  }
  const pages = ["/", "/projects", "/p/inkwell", "/poll", "/skills"];
  const documents = ["/api/v1/projects", "/api/v1/projects?q=ink", "/llms.txt", "/feed.xml"];
  for (const path of [...pages, ...documents]) {
    const request = () => app.request(path, { userAgent: BROWSER });
    await request();
    app.clock.advance(MINUTE_MS / 2);
    counts.reads = 0;
    assertEquals((await request()).status, 200);
    assert(counts.reads <= (pages.includes(path) ? 10 : 3), `${path}: ${counts.reads} reads`);
  }
});
