import { closeMissedDays } from "../ai_of_the_day/service.ts";
import { HOUR_MS, MINUTE_MS } from "../clock.ts";
import { scoutGems } from "../discovery/gems.ts";
import { storeKeys } from "../kv/keys.ts";
import { errorFields } from "../log.ts";
import type { JobRun, WatchedJob } from "../operator/jobs.ts";
import { reconcilePayments, settlePayments } from "../payments/jobs.ts";
import { isWorthSnapshot } from "../read_model/snapshots.ts";
import type { Deps } from "./deps.ts";

/**
 * A scheduled job. It may run twice, in several processes at once, late or not at all: it must be an
 * idempotent function of the time it is given, and readers must not depend on its having run.
 */
export interface Job extends WatchedJob {
  /** Five cron fields in UTC, as a string. (Deno's object form does not mean what it says.) */
  schedule: string;
  /** Does what is due at `now` (ms). */
  run(deps: Deps, now: number): Promise<unknown>;
}

/** Every job of the service, on one page. */
export const jobs: readonly Job[] = [
  // It works once a UTC day. The other hours are for a day whose first run was missed, and for a
  // clock that was set.
  {
    name: "gem-scout",
    schedule: "17 6-23 * * *",
    run: scoutGems,
    maxGapMs: 8 * HOUR_MS,
  },
  {
    name: "ai-of-the-day",
    // At the end of the day, and again when all of its check-ins must have landed. Hourly, because
    // a clock may be set.
    schedule: "0,3 * * * *",
    run: closeMissedDays,
    maxGapMs: 2 * HOUR_MS,
  },
  {
    name: "reconcile-payments",
    schedule: "*/10 * * * *",
    run: reconcilePayments,
    maxGapMs: HOUR_MS,
  },
  {
    name: "settle-payments",
    schedule: "* * * * *",
    run: settlePayments,
    maxGapMs: 10 * MINUTE_MS,
  },
  {
    name: "snapshot",
    schedule: "*/10 * * * *",
    run: writeSnapshot,
    maxGapMs: HOUR_MS,
  },
];

/** Writes down what is in memory, so that the next start need not read every record. */
async function writeSnapshot({ catalogue, skills, snapshots, sync, tail }: Deps): Promise<void> {
  await sync.loaded;
  if (!isWorthSnapshot(catalogue.size + skills.size)) return;
  await snapshots.write(async () => {
    await tail.poll();
    await sync.settled();
  });
}

/**
 * Runs a job and notes the run in KV. A failure is logged instead of thrown, because Deno would run
 * a job that throws again at once.
 */
export async function runJob(deps: Deps, job: Job): Promise<void> {
  const at = deps.clock.now();
  let ok = true;
  try {
    await job.run(deps, at);
  } catch (error) {
    ok = false;
    deps.log.error("job_failed", { job: job.name, ...errorFields(error) });
  }
  try {
    await deps.store.transact((tx) => {
      tx.set(storeKeys.jobRun(job.name), { at, ok } satisfies JobRun);
    });
  } catch (error) {
    deps.log.error("job_run_not_noted", { job: job.name, ...errorFields(error) });
  }
}

/**
 * Registers every job with Deno, and runs each once when the dependencies are open, to catch up on
 * what was missed while down. Must be called before the program awaits anything: a platform looks
 * for jobs while it evaluates the program, and does not wait for a slow KV.
 */
export function startJobs(opening: Promise<Deps>): void {
  for (const job of jobs) {
    Deno.cron(job.name, job.schedule, async () => await runJob(await opening, job));
    opening.then((deps) => runJob(deps, job));
  }
}
