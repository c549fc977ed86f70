import { DAY_MS, earliest, isoTime, MINUTE_MS, secondsSince } from "../clock.ts";
import { inOneLine } from "../errors.ts";
import { attempt, OPERATION_DEADLINE_MS } from "../kv/attempt.ts";
import { freeBytes } from "../kv/disk_guard.ts";
import { storeKeys } from "../kv/keys.ts";
import { unavailable } from "../kv/retry.ts";
import { LAG_MAX_MS } from "../kv/tail.ts";
import { SCHEMA_VERSION } from "../migrations.ts";
import { arePaymentsOpen } from "../payments/availability.ts";
import type { Deps } from "./deps.ts";
import type { JobRun } from "./jobs.ts";
import { operatorKeys } from "./keys.ts";
import { getPaymentFigures, type PaymentFigures } from "./payment_figures.ts";
import type { StoredReport } from "./reports.ts";
import type { HealthBody } from "./schema.ts";
import { serversTime } from "./servers_time.ts";

/** How long (ms) a result is reused, so frequent checks cost nothing. */
export const HEALTH_MAX_AGE_MS = 5_000;
/** How long (ms) a check waits for a load: on Deno Deploy, its own request may have begun it. */
const LOAD_WAIT_MS = 1_000;
/** With fewer free bytes than this, the disk is nearly full. */
const FREE_MIN = 500_000_000;

/**
 * The health of this process and its dependencies. Throws `storage_unavailable` if KV accepts no
 * writes.
 */
export function readHealth(deps: Deps): Promise<HealthBody> {
  const now = deps.clock.now();
  return deps.health.get("", now, () => probe(deps, now));
}

async function probe(deps: Deps, now: number): Promise<HealthBody> {
  const write = async () => {
    const writtenAt = await serversTime(deps);
    const begun = performance.now();
    await deps.store.transact((tx) => tx.set(operatorKeys.healthProbe, now));
    return { writtenAt, writeMs: Math.round((performance.now() - begun) * 10) / 10 };
  };
  // It doesn't matter if the probe lands later, so don't wait a minute for a silent KV.
  const { writtenAt, writeMs } = await attempt(write, OPERATION_DEADLINE_MS).catch((cause) => {
    throw unavailable(cause);
  });
  const [version, salt, backup] = await deps.store.getMany<unknown>([
    storeKeys.schemaVersion,
    storeKeys.saltAcceptedAt,
    storeKeys.jobRun("backup"),
  ]);
  const schemaVersion = version!.value as number | null;
  await deps.sync.ready(LOAD_WAIT_MS)?.catch(() => {});
  const figures = await getPaymentFigures(deps);
  const jobRuns = await readJobs(deps);
  const reports = deps.store.list<StoredReport>({ prefix: operatorKeys.reports }, { limit: 1 });
  const [oldest] = await Array.fromAsync(reports);
  const lagMs = deps.tail.lag;
  const problems = findProblems(deps, { schemaVersion, figures, jobRuns, writtenAt, lagMs, now });
  if (Math.abs(now - (salt!.value as number | null ?? -Infinity)) < DAY_MS) {
    problems.push("A new salt was accepted in the last day, so every voter counts as new");
  }
  if ((backup!.value as JobRun | null)?.ok === false) {
    problems.push("The last backup failed or found differences: run deno task backup to see them");
  }
  const disk = await diskProblem(() => freeBytes(deps.env));
  if (disk !== null) problems.push(disk);
  return {
    status: problems.length === 0 ? "ok" : "degraded",
    problems,
    schemaVersion,
    startedAt: isoTime(deps.startedAt),
    kv: { writeMs },
    catalogue: { listings: deps.catalogue.isReady ? deps.catalogue.size : 0, lagMs },
    queues: {
      review: {
        waiting: deps.catalogue.pending.size,
        oldestAgeSeconds: secondsSince(earliest([...deps.catalogue.pending.values()]), now),
      },
      reports: { oldestAgeSeconds: secondsSince(oldest?.value.at ?? null, now) },
      operations: {
        waiting: figures.waitingOperations,
        oldestAgeSeconds: figures.oldestOperationAgeSeconds,
      },
    },
    payments: {
      open: await arePaymentsOpen(deps),
      lastWebhookAgeSeconds: figures.lastWebhookAgeSeconds,
      stuckOperations: figures.stuckOperations.length,
      openHolds: figures.openHolds.length,
    },
    jobs: jobRuns,
    generatedAt: isoTime(now),
  };
}

/** When each job last ran, and whether it succeeded; null if it never ran. */
async function readJobs({ store, jobs }: Deps): Promise<HealthBody["jobs"]> {
  const runs = await store.getMany<JobRun>(jobs.map(({ name }) => storeKeys.jobRun(name)));
  return jobs.map(({ name }, i) => {
    const run = runs[i]!.value;
    return { name, lastRunAt: run === null ? null : isoTime(run.at), ok: run?.ok ?? null };
  });
}

/** What is degraded, in sentences. */
function findProblems(
  deps: Deps,
  seen: {
    schemaVersion: number | null;
    figures: PaymentFigures;
    jobRuns: HealthBody["jobs"];
    writtenAt: number;
    lagMs: number;
    now: number;
  },
): string[] {
  const { schemaVersion, figures, jobRuns, writtenAt, lagMs, now } = seen;
  const problems: string[] = [];
  // A newer program migrated it, or another file replaced it, while this one kept running.
  if ((schemaVersion ?? SCHEMA_VERSION) !== SCHEMA_VERSION) {
    problems.push(
      `The database has schema version ${schemaVersion}, but this server needs ${SCHEMA_VERSION}. ` +
        "Stop it and start the version that matches the database",
    );
  }
  if (deps.disk?.isReplaced) {
    problems.push(
      "The database file was deleted or replaced: anything written from now on will be lost at the next restart",
    );
  }
  if (!deps.catalogue.isReady) {
    problems.push("Lists and search are still loading");
  }
  if (deps.fetcher?.isAway) {
    problems.push("Nothing is responding on FETCHER_PORT, so nothing is fetched");
  }
  if (lagMs > LAG_MAX_MS) problems.push("Lists lag behind other processes");
  for (const { name, ok, lastRunAt } of jobRuns) {
    if (ok === false) problems.push(`The last run of ${name} failed`);
    const { maxGapMs } = deps.jobs.find((job) => job.name === name)!;
    const ranAt = lastRunAt === null ? 0 : Date.parse(lastRunAt);
    if (now - Math.max(deps.startedAt, ranAt) > maxGapMs) {
      problems.push(`The job ${name} did not run when it should have`);
    }
  }
  if (writtenAt - now >= MINUTE_MS) {
    problems.push(
      "This server's clock was set back or is behind another server's, so changes can be missed",
    );
  }
  if (figures.stuckOperations.length > 0) {
    problems.push("Operations at the payment provider are stuck");
  }
  if (figures.openHolds.some(({ endsTooSoon }) => endsTooSoon)) {
    problems.push("A card hold expires before its auction closes");
  }
  if (figures.alerts.some(({ at }) => Math.abs(now - Date.parse(at)) < DAY_MS)) {
    problems.push("There was a payment alert in the last day: see payments status");
  }
  return problems;
}

/**
 * A sentence about what is wrong with a disk, or null. `free` returns its free bytes (null if there
 * is no disk).
 */
export async function diskProblem(free: () => Promise<number | null>): Promise<string | null> {
  try {
    if ((await free() ?? Infinity) >= FREE_MIN) return null;
    return "The database disk has less than 500 MB free";
  } catch (error) {
    const reason = error instanceof Deno.errors.NotCapable
      ? "the server needs --allow-sys=statfs"
      : inOneLine(error);
    return `Free disk space is unknown: ${reason}`;
  }
}
