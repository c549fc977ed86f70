import { type Clock, MINUTE_MS } from "../clock.ts";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import { dryRunKv } from "../kv/dry_run.ts";
import type { KvLike } from "../kv/store.ts";
import { requireVersion } from "../migrations.ts";
import { plural } from "../text/count.ts";
import type { Outcome, Parsed } from "./command.ts";
import { advice, parse, usage, UsageError } from "./command_line.ts";
import type { Deps } from "./deps.ts";
import { runMany, runOne, sentence, targetsOf } from "./runs.ts";
import { serversTime } from "./servers_time.ts";

/** The result of a run. Status 0 means done, 1 refused, 2 usage error. */
export interface CliResult {
  status: 0 | 1 | 2;
  stdout: string;
  stderr: string;
}

/** Runs one operator command. It prints nothing itself, so tests can read its output. */
export async function runCli(
  args: readonly string[],
  options: {
    env: Env;
    openKv: () => Promise<KvLike>;
    /** Reads standard input. */
    readInput?: () => Promise<string>;
    createDeps: (env: Env, options: { kv: KvLike; salt: string; clock?: Clock }) => Deps;
    clock?: Clock;
  },
): Promise<CliResult> {
  const behind = args.indexOf("--");
  const asked = behind < 0 ? args : args.slice(0, behind);
  if (args.length === 0 || asked.includes("--help")) {
    return { status: args.length === 0 ? 2 : 0, stdout: usage(args), stderr: "" };
  }
  let parsed: Parsed;
  try {
    parsed = parse(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { status: 2, stdout: "", stderr: `${error.message}\n${advice(args)}\n` };
  }
  const { command, json, dryRun } = parsed;
  const kv = await options.openKv();
  try {
    const deps = options.createDeps(options.env, {
      kv: dryRun ? dryRunKv(kv) : kv,
      salt: "",
      clock: options.clock,
    });
    await requireVersion(deps.store);
    if (command.action !== undefined || command.runsOthers) await requireClock(deps);
    const outcome = command.isMany
      ? await runMany(deps, parsed, await targetsOf(deps, parsed, options.readInput))
      : await runOne(deps, parsed);
    // Changes that landed late are still being logged again for the servers to see.
    await deps.store.idle();
    const status = outcome.data.refused ? 1 : 0;
    const shown = dryRun ? outcome.preview ?? outcome : outcome;
    return { status, stdout: format(shown, { json, dryRun }), stderr: "" };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code } = error;
    const message = sentence(error);
    return {
      status: 1,
      stdout: json ? `${JSON.stringify({ ok: false, error: { code, message } })}\n` : "",
      stderr: json ? "" : `Refused: ${message}\n`,
    };
  } finally {
    kv.close();
  }
}

/**
 * Refuses to write if this clock is behind the servers' clock: they look for others' writes only in
 * the last minutes of the log. Throws `invalid_input`.
 */
async function requireClock(deps: Deps): Promise<void> {
  const behindMs = await serversTime(deps) - deps.clock.now();
  if (behindMs < MINUTE_MS) return;
  const by = plural(Math.floor(behindMs / MINUTE_MS), "minute");
  throw new DomainError("invalid_input", [{
    field: "clock",
    message:
      `This machine's clock is ${by} behind the servers, so they would miss the change. Correct the clock`,
  }]);
}

function format(outcome: Outcome, options: { json: boolean; dryRun: boolean }): string {
  const { json, dryRun } = options;
  if (json) return `${JSON.stringify({ ok: true, dryRun, ...outcome.data })}\n`;
  const lines = dryRun ? ["Dry run: nothing was written", ...outcome.lines] : outcome.lines;
  return `${lines.join("\n")}\n`;
}
