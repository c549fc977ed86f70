import { parseArgs } from "node:util";
import { z } from "zod";
import { type Clock, MINUTE_MS } from "../clock.ts";
import type { Env } from "../env.ts";
import { DomainError, type FieldProblem, inOneLine } from "../errors.ts";
import { dryRunKv } from "../kv/dry_run.ts";
import { requireVersion } from "../kv/migrations.ts";
import type { KvLike } from "../kv/store.ts";
import { plural } from "../text/count.ts";
import { audited, type ReasonClass } from "./actions.ts";
import type { Command, CommandInput, Outcome } from "./command.ts";
import { commands } from "./commands.ts";
import type { Deps } from "./deps.ts";
import { serversTime } from "./servers_time.ts";

/** The result of a run. The status is 0 for done, 1 for refused, 2 for not understood. */
export interface CliResult {
  status: 0 | 1 | 2;
  stdout: string;
  stderr: string;
}

/** A command line that fits no row of the table of commands. */
class UsageError extends Error {}

interface Parsed {
  command: Command;
  args: Record<string, string>;
  options: Record<string, string>;
  json: boolean;
  dryRun: boolean;
}

/**
 * Runs one operator command. It prints nothing itself, so that tests can read what it would print.
 */
export async function runCli(
  args: readonly string[],
  options: {
    env: Env;
    openKv: () => Promise<KvLike>;
    createDeps: (env: Env, options: { kv: KvLike; salt: string; clock?: Clock }) => Deps;
    clock?: Clock;
  },
): Promise<CliResult> {
  const behind = args.indexOf("--");
  const asked = behind < 0 ? args : args.slice(0, behind);
  if (args.length === 0 || asked.includes("--help")) {
    const area = args.find((arg) => !arg.startsWith("-"));
    return { status: args.length === 0 ? 2 : 0, stdout: usage(area), stderr: "" };
  }
  let parsed: Parsed;
  try {
    parsed = parse(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { status: 2, stdout: "", stderr: `${error.message}\nSee: deno task operator --help\n` };
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
    if (command.action !== undefined) await requireClock(deps);
    const worked = command.action === undefined ? deps : audited(deps, {
      kind: command.action,
      reason: parsed.options.reason as ReasonClass ?? null,
    });
    const outcome = await command.run({
      deps: worked,
      args: parsed.args,
      options: parsed.options,
    });
    // Changes that landed late are still being logged again, so that servers hear of them.
    await worked.store.idle();
    return { status: 0, stdout: format(outcome, { json, dryRun }), stderr: "" };
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
 * Refuses to write with a clock that is behind the servers' clock: they look for others' writes
 * only among the log's entries of the last minutes. Throws `invalid_input`.
 */
async function requireClock(deps: Deps): Promise<void> {
  const behindMs = await serversTime(deps) - deps.clock.now();
  if (behindMs < MINUTE_MS) return;
  const by = plural(Math.floor(behindMs / MINUTE_MS), "minute");
  throw new DomainError("invalid_input", [{
    field: "clock",
    message: `The clock here is ${by} behind the servers', who would not hear of it: set it right`,
  }]);
}

function format(outcome: Outcome, options: { json: boolean; dryRun: boolean }): string {
  const { json, dryRun } = options;
  if (json) return `${JSON.stringify({ ok: true, dryRun, ...outcome.data })}\n`;
  const lines = dryRun ? ["Dry run, nothing was written", ...outcome.lines] : outcome.lines;
  return `${lines.join("\n")}\n`;
}

function sentence(error: DomainError): string {
  // KV's own message is only shown to the operator: it tells a full disk from a file of another
  // user.
  if (error.cause !== undefined) return `${error.message} (${inOneLine(error.cause)})`;
  if (error.code !== "invalid_input") return error.message;
  return (error.details as FieldProblem[]).map(({ message }) => message).join("; ");
}

function parse(args: readonly string[]): Parsed {
  const command = findCommand(args);
  const { values, positionals } = split(args, command);
  const given = positionals.slice(command.verb === undefined ? 1 : 2);
  const names = command.args ?? [];
  if (given.length !== names.length) {
    throw new UsageError(`Give ${names.map((name) => `<${name}>`).join(" ") || "no argument"}`);
  }
  return {
    command,
    args: Object.fromEntries(names.map((name, i) => [name, given[i]!])),
    options: readOptions(command, values),
    json: values.json === true,
    dryRun: values["dry-run"] === true,
  };
}

function findCommand(args: readonly string[]): Command {
  const [area, verb] = args.filter((arg) => !arg.startsWith("-"));
  const all = areas().join(", ");
  if (area === undefined) throw new UsageError(`Name an area: ${all}`);
  const ofArea = commands.filter((command) => command.area === area);
  if (ofArea.length === 0) throw new UsageError(`There is no area ${area}; areas: ${all}`);
  const command = ofArea.find((command) => command.verb === undefined || command.verb === verb);
  if (command === undefined) {
    const verbs = ofArea.map(({ verb }) => verb).join(", ");
    throw new UsageError(
      verb === undefined
        ? `${area} needs a verb: ${verbs}`
        : `${area} has no ${verb}; it has: ${verbs}`,
    );
  }
  return command;
}

/** The options that the command declares, checked. Throws `UsageError`. */
function readOptions(command: Command, values: Record<string, unknown>): CommandInput["options"] {
  const options: CommandInput["options"] = {};
  for (const [name, option] of Object.entries(command.options ?? {})) {
    const value = (values[name] as string | undefined) ?? option.default;
    if (!value?.trim() && option.required) throw new UsageError(`--${name} is required`);
    if (value === undefined) continue;
    if (option.values && !option.values.includes(value)) {
      throw new UsageError(`--${name} is one of: ${option.values.join(", ")}`);
    }
    if (option.isCount && !/^[1-9]\d{0,8}$/.test(value)) {
      throw new UsageError(`--${name} is a whole number from 1 on`);
    }
    if (option.isTime && !z.iso.datetime({ offset: true }).safeParse(value).success) {
      throw new UsageError(`--${name} is a time such as 2026-03-04T12:00:00Z`);
    }
    options[name] = value;
  }
  return options;
}

function split(
  args: readonly string[],
  command: Command,
): { values: Record<string, unknown>; positionals: string[] } {
  const own = Object.keys(command.options ?? {}).map((name) => [name, { type: "string" as const }]);
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        "dry-run": { type: "boolean" },
        ...Object.fromEntries(own),
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split(". ")[0] : String(error));
  }
}

function areas(): string[] {
  return [...new Set(commands.map(({ area }) => area))];
}

/** The help text: of one area's commands, or of all if there is no such area. */
function usage(area?: string): string {
  const ofArea = commands.filter((command) => command.area === area);
  const rows = (ofArea.length > 0 ? ofArea : commands)
    .map((command) => {
      const own = Object.entries(command.options ?? {}).map(([name, option]) => {
        const value = option.values?.join("|") ?? (option.isTime ? "TIME" : name.toUpperCase());
        return option.required ? `--${name} ${value}` : `[--${name} ${value}]`;
      });
      const names = (command.args ?? []).map((name) => `<${name}>`);
      const line = [command.area, command.verb ?? "", ...names, ...own].filter(Boolean).join(" ");
      return `  ${line}\n      ${command.summary}`;
    });
  return [
    "deno task operator <area> [verb] [argument] [--json] [--dry-run]",
    "",
    "Works on the KV that the settings name; a running server follows within a second.",
    "A name that begins with a dash stands behind --, after all options.",
    "Exit status: 0 done, 1 refused, 2 not understood.",
    "",
    ...rows,
    "",
  ].join("\n");
}
