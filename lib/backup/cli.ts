import { systemClock } from "../clock.ts";
import { BackupError } from "../database_file.ts";
import { type Env, SettingError } from "../env.ts";
import { DomainError, inOneLine } from "../errors.ts";
import { storeKeys } from "../kv/keys.ts";
import { checksMaxOf, isEmbedded, openExistingKv } from "../kv/open.ts";
import { Store } from "../kv/store.ts";
import { requireVersion } from "../migrations.ts";
import type { JobRun } from "../operator/jobs.ts";
import { plural } from "../text/count.ts";
import { backup, type Progress, restore } from "./copy.ts";
import { verify } from "./verify.ts";
import type { Difference } from "./verify_run.ts";

const USAGE = `deno task backup <file>       Write a verified copy of the database to a new file
deno task restore <file>      Restore a backup where there is no database yet
deno task verify [--repair]   Recompute every counter and index; --repair corrects differences

They work on the database in your settings. Servers can keep writing during backup and verify.
Exit status: 0 done, 1 refused or differences found, 2 usage error.
`;

/** Runs backup, restore or verify; returns the exit status. Lines go to `progress`. */
export async function runBackupCli(
  args: readonly string[],
  options: { env: Env; progress: Progress },
): Promise<0 | 1 | 2> {
  const { env, progress } = options;
  const [command, ...rest] = args;
  const flags = rest.filter((arg) => arg.startsWith("-"));
  const [file, ...more] = rest.filter((arg) => !arg.startsWith("-"));
  const isKnown = command === "verify"
    ? file === undefined && flags.every((flag) => flag === "--repair")
    : (command === "backup" || command === "restore") && Boolean(file) && flags.length === 0;
  if (args.includes("--help")) {
    progress(USAGE.trimEnd());
    return 0;
  }
  if (!isKnown || more.length > 0) {
    const unknown = flags.find((flag) => command !== "verify" || flag !== "--repair");
    if (unknown !== undefined) progress(`Unknown option ${unknown}\n`);
    progress(USAGE.trimEnd());
    return 2;
  }
  if (command === "backup" && !isEmbedded({ kvPath: file })) {
    const how = "set KV_PATH to its address and restore a backup";
    progress(`${file} is not a file. To copy to a KV server, ${how}`);
    return 2;
  }
  let outcome = "Refused";
  try {
    if (command === "verify") {
      const kv = await openExistingKv(env, { whole: true });
      const checksMax = checksMaxOf(env);
      return await report(kv, { repair: flags.length > 0, progress, checksMax });
    }
    if (command === "backup") {
      await backup(env, file!, progress);
      outcome = "Written, but not verified";
      // A backup is only good if it can be read.
      const status = await report(await Deno.openKv(file), { repair: false, progress });
      await noteBackup(env, status === 0);
      return status;
    }
    await restore(env, file!, progress);
    // The copy only knows how the backup before it went.
    await noteBackup(env, null);
    return 0;
  } catch (error) {
    if (command === "backup") await noteBackup(env, false);
    const isClear = error instanceof BackupError || error instanceof SettingError ||
      error instanceof DomainError || isOfSystem(error);
    if (!isClear) throw error;
    const cause = error.cause === undefined ? "" : ` (${inOneLine(error.cause)})`;
    progress(`${outcome}: ${error.message}${cause}`);
    return 1;
  }
}

/**
 * Records how a backup went, for the health check; null if there was none yet. If storage fails,
 * that check notices anyway. Nothing is written to a database that no server has used.
 */
async function noteBackup(env: Env, ok: boolean | null): Promise<void> {
  const key = storeKeys.jobRun("backup");
  try {
    using kv = await openExistingKv(env);
    if ((await kv.get(storeKeys.schemaVersion)).value === null) return;
    if (ok === null) await kv.delete(key);
    else await kv.set(key, { at: systemClock.now(), ok } satisfies JobRun);
  } catch {
    // The backup itself has said why.
  }
}

/** Whether this is an operating system error, whose message says what failed and where. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^E[A-Z]+$/.test(String(error.code));
}

async function report(
  kv: Deno.Kv,
  options: { repair: boolean; progress: Progress; checksMax?: number },
): Promise<0 | 1> {
  const { repair, progress, checksMax } = options;
  const store = new Store(kv, systemClock, { checksMax });
  let differences: Difference[];
  try {
    await requireVersion(store);
    differences = await verify(store, { repair, progress });
  } finally {
    store.close();
  }
  for (const { what, repaired } of differences) {
    progress(`${repaired ? "Repaired" : "Differs"}: ${what}`);
  }
  const left = differences.filter(({ repaired }) => !repaired).length;
  progress(
    left === 0 ? "Verified: all counters and indexes are correct" : plural(left, "difference"),
  );
  return left === 0 ? 0 : 1;
}
