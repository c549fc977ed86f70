import { closeMissedDays } from "../ai_of_the_day/service.ts";
import { HOUR_MS, MINUTE_MS } from "../clock.ts";
import { scoutGems } from "../discovery/gems.ts";
import { pingHub } from "../documents/hub.ts";
import { writeDump } from "../dump/service.ts";
import type { Env } from "../env.ts";
import { copyLogos } from "../images/logos.ts";
import { storeKeys } from "../kv/keys.ts";
import { checkLinks } from "../links/check_links.ts";
import { errorFields } from "../log.ts";
import { deliverNotices } from "../notices/delivery.ts";
import type { JobRun, WatchedJob } from "../operator/jobs.ts";
import { recheckOwners } from "../owners/verification.ts";
import { reconcilePayments, settlePayments } from "../payments/jobs.ts";
import { announceEnds } from "../promotions/reminders.ts";
import { isWorthSnapshot } from "../read_model/snapshots.ts";
import type { Deps } from "./deps.ts";

/**
 * A scheduled job. It may run twice, in several processes at once, late or not at all: it must be
 * an idempotent function of the given time, and readers must not depend on a run.
 */
export interface Job extends WatchedJob {
  /** Five cron fields in UTC, as a string. (Deno's object form does not mean what it says.) */
  schedule: string;
  /** Whether it needs Stripe's key. */
  needsStripe?: true;
  /** Whether it fetches user-submitted URLs. */
  needsFetcher?: true;
  /** Does what is due at `now` (ms). Returns false if there was nothing to do. */
  run(deps: Deps, now: number): Promise<unknown>;
}

/** Saves what a process needs for a fast start. */
export const snapshotJob: Job = {
  name: "snapshot",
  schedule: "*/10 * * * *",
  run: writeSnapshot,
  maxGapMs: HOUR_MS,
};

/** Every job of the service, in one place. */
export const jobs: readonly Job[] = [
  // It does its work once per UTC day. The other hourly runs cover a missed first run or a clock
  // change.
  {
    name: "gem-scout",
    schedule: "17 6-23 * * *",
    run: scoutGems,
    maxGapMs: 8 * HOUR_MS,
  },
  {
    name: "ai-of-the-day",
    // It has work at the end of the UTC day, and again once that day's last check-ins must have
    // landed. It runs hourly because clocks can be changed.
    schedule: "0,3 * * * *",
    run: closeMissedDays,
    maxGapMs: 2 * HOUR_MS,
  },
  {
    name: "reconcile-payments",
    schedule: "*/10 * * * *",
    run: reconcilePayments,
    maxGapMs: HOUR_MS,
    needsStripe: true,
  },
  {
    name: "settle-payments",
    schedule: "* * * * *",
    run: settlePayments,
    maxGapMs: 30 * MINUTE_MS,
    needsStripe: true,
  },
  {
    name: "recheck-owners",
    schedule: "41 * * * *",
    run: recheckOwners,
    maxGapMs: 3 * HOUR_MS,
    needsFetcher: true,
  },
  {
    name: "deliver-notices",
    schedule: "* * * * *",
    run: (deps) => deliverNotices(deps, () => announceEnds(deps)),
    maxGapMs: 10 * MINUTE_MS,
    needsFetcher: true,
  },
  {
    name: "ping-hub",
    schedule: "* * * * *",
    run: pingHub,
    maxGapMs: 30 * MINUTE_MS,
    needsFetcher: true,
  },
  {
    name: "copy-logos",
    schedule: "* * * * *",
    run: copyLogos,
    maxGapMs: 30 * MINUTE_MS,
    needsFetcher: true,
  },
  {
    name: "check-links",
    schedule: "*/10 * * * *",
    run: checkLinks,
    maxGapMs: HOUR_MS,
    needsFetcher: true,
  },
  snapshotJob,
  // It does its work once per UTC day, and again after something is taken down.
  {
    name: "dump",
    schedule: "40 * * * *",
    run: writeDump,
    maxGapMs: 3 * HOUR_MS,
  },
];

/** Saves in-memory data, so the next start doesn't have to read every record. */
async function writeSnapshot({ catalogue, skills, snapshots, sync, tail }: Deps): Promise<boolean> {
  // A process without requests loads the directory only to replace a snapshot that may expire.
  if (sync.isPutOff && !await snapshots.isOutdated()) return false;
  await sync.loaded();
  if (!isWorthSnapshot(catalogue.size + skills.size)) return false;
  return await snapshots.write(async () => {
    await tail.poll();
    await sync.caughtUp();
  });
}

/**
 * The jobs that run with these settings. Others are not registered. Deno Deploy bills each run and
 * starts a process for it, so there, jobs that run every minute elsewhere run every ten minutes.
 */
export function jobsOf(
  env: Pick<Env, "stripeSecretKey" | "fetcherPort" | "isDeploy">,
): readonly Job[] {
  return jobs.filter(({ needsStripe, needsFetcher }) =>
    (!needsStripe || env.stripeSecretKey !== undefined) &&
    (!needsFetcher || env.fetcherPort !== undefined)
  ).map((job) => env.isDeploy ? { ...job, schedule: job.schedule.replace(/^\* /, "*/10 ") } : job);
}

/** The last runs that a process recorded in KV, by job. */
type NotedRuns = Map<string, JobRun>;

/**
 * Runs a job and records the run in KV, unless there was nothing to do and a good run was recorded
 * recently. Failures are logged, not thrown, because Deno would immediately rerun a job that
 * throws.
 */
export async function runJob(deps: Deps, job: Job, noted: NotedRuns = new Map()): Promise<void> {
  const at = deps.clock.now();
  let ok = true;
  let isIdle = false;
  try {
    isIdle = await job.run(deps, at) === false;
  } catch (error) {
    ok = false;
    deps.log.error("job_failed", { job: job.name, ...errorFields(error) });
  }
  const last = noted.get(job.name);
  // A run is recent for half the time after which health considers the job late.
  if (isIdle && last?.ok && Math.abs(at - last.at) < job.maxGapMs / 2) return;
  const run: JobRun = { at, ok };
  try {
    await deps.store.transact((tx) => tx.set(storeKeys.jobRun(job.name), run));
    noted.set(job.name, run);
  } catch (error) {
    deps.log.error("job_run_not_noted", { job: job.name, ...errorFields(error) });
  }
}

/**
 * Registers the jobs for these settings with Deno. Also runs each once as soon as the dependencies
 * are open, to catch up on what was missed while the service was down. Must be called before the
 * program awaits anything: a platform looks for jobs while it evaluates the program, and does not
 * wait for a slow KV.
 */
export function startJobs(env: Env, opening: Promise<Deps>): void {
  const noted: NotedRuns = new Map();
  for (const job of jobsOf(env)) {
    Deno.cron(job.name, job.schedule, async () => await runJob(await opening, job, noted));
    opening.then((deps) => runJob(deps, job, noted));
  }
}
