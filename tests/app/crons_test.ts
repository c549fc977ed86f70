import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Job, jobs, runJob, startJobs } from "@/lib/app/crons.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { delay } from "@/lib/clock.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import type { JobRun } from "@/lib/operator/jobs.ts";
import { testApp } from "../support/app.ts";
import { paidApp } from "../support/payments.ts";

Deno.test("runJob records how a run ended and doesn't throw its error", async () => {
  await using app = await testApp();
  const job = (run: Job["run"]): Job => ({
    name: "probe",
    schedule: "* * * * *",
    maxGapMs: 1,
    run,
  });
  const noted = async () => (await app.deps.store.get<JobRun>(storeKeys.jobRun("probe"))).value;
  await runJob(app.deps, job(() => Promise.reject(new Error("broken"))));
  assertEquals(await noted(), { at: app.clock.now(), ok: false });
  app.clock.advance(60_000);
  await runJob(app.deps, job(() => Promise.resolve()));
  assertEquals(await noted(), { at: app.clock.now(), ok: true });
});

Deno.test("every job has a unique name and its expected schedule", () => {
  assertEquals(new Set(jobs.map(({ name }) => name)).size, jobs.length);
  for (const { name, schedule } of jobs) {
    assertMatch(name, /^[a-z-]+$/);
    assertEquals(schedule.split(" ").length, 5, name);
  }
  const schedules = Object.fromEntries(jobs.map(({ name, schedule }) => [name, schedule]));
  assertEquals(schedules, {
    "gem-scout": "17 6-23 * * *",
    "ai-of-the-day": "0,3 * * * *",
    "reconcile-payments": "*/10 * * * *",
    "settle-payments": "* * * * *",
    "recheck-owners": "41 * * * *",
    "deliver-notices": "* * * * *",
    "ping-hub": "* * * * *",
    "copy-logos": "* * * * *",
    "check-links": "*/10 * * * *",
    "snapshot": "*/10 * * * *",
    "dump": "40 * * * *",
  });
});

Deno.test("every job can run twice in a row on an empty directory", async () => {
  await using app = await testApp();
  for (const job of jobs) {
    for (let run = 0; run < 2; run++) {
      await runJob(app.deps, job);
      const noted = await app.deps.store.get<JobRun>(storeKeys.jobRun(job.name));
      assert(noted.value?.ok, job.name);
    }
  }
});

Deno.test("startJobs registers every job immediately, and runs none until KV is open", async () => {
  await using app = await paidApp({ env: { FETCHER_PORT: "9" } });
  const names = jobs.map(({ name }) => name);
  const registered: string[] = [];
  const cron = Object.getOwnPropertyDescriptor(Deno, "cron")!;
  const value = (name: string) => Promise.resolve(void registered.push(name));
  Object.defineProperty(Deno, "cron", { value, configurable: true });
  const opening = Promise.withResolvers<Deps>();
  try {
    startJobs(app.deps.env, opening.promise);
  } finally {
    Object.defineProperty(Deno, "cron", cron);
  }
  assertEquals(registered, names);
  const runs = () => Promise.all(names.map((name) => app.deps.store.get(storeKeys.jobRun(name))));
  assert((await runs()).every(({ value }) => value === null));
  opening.resolve(app.deps);
  await opening.promise;
  await app.deps.store.idle();
  while ((await runs()).some(({ value }) => value === null)) {
    await delay(5);
  }
});
