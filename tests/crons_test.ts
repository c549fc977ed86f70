import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Job, type JobRun, jobs, runJob } from "@/lib/crons.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { testApp } from "./support/app.ts";

Deno.test("runJob notes how a run ended and swallows its error", async () => {
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

Deno.test("every job has a name of its own and a schedule of five fields", () => {
  assertEquals(new Set(jobs.map(({ name }) => name)).size, jobs.length);
  for (const { name, schedule } of jobs) {
    assertMatch(name, /^[a-z-]+$/);
    assertEquals(schedule.split(" ").length, 5, name);
  }
});

Deno.test("every job may run twice in a row, at any time, on an empty directory", async () => {
  await using app = await testApp();
  for (const job of jobs) {
    for (let run = 0; run < 2; run++) {
      await runJob(app.deps, job);
      const noted = await app.deps.store.get<JobRun>(storeKeys.jobRun(job.name));
      assert(noted.value?.ok, job.name);
    }
  }
});
