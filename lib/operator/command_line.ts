import { parseArgs } from "node:util";
import { z } from "zod";
import { Day } from "../fields.ts";
import type { Command, CommandInput, NamedCommand, Parsed } from "./command.ts";
import { commands } from "./commands.ts";

/** A command line that matches no row of the table of commands. */
export class UsageError extends Error {}

/** Reads a command line. Throws `UsageError`. */
export function parse(args: readonly string[]): Parsed {
  const command = findCommand(args);
  const { values, positionals } = split(args, command);
  const given = positionals.slice(command.verb === undefined ? 1 : 2);
  const options = readOptions(command, values);
  const fixed = (command.args ?? []).slice(0, command.isMany ? -1 : undefined);
  const targets = given.slice(fixed.length);
  const isRight = command.isMany
    ? targets.length > 0 || selects(command, options)
    : !targets.length;
  if (given.length < fixed.length || !isRight) {
    throw new UsageError(`This command takes ${argsOf(command)}`);
  }
  if (targets.length > 0 && selects(command, options)) {
    throw new UsageError(`This command takes ${argsOf(command)} or filters, not both`);
  }
  const named = Object.fromEntries(fixed.map((name, i) => [name, given[i]!]));
  if (named.day !== undefined && !Day.safeParse(named.day).success) {
    throw new UsageError(`Enter a UTC day such as 2026-03-04, not ${named.day}`);
  }
  return {
    command,
    args: named,
    targets,
    options,
    json: values.json === true,
    dryRun: values["dry-run"] === true,
  };
}

/** The arguments of a command, as the help shows them. */
function argsOf({ args = [], isMany }: Command): string {
  const names = args.map((name) => `<${name}>`).join(" ");
  return isMany ? `${names}...` : names || "no argument";
}

/** True if a command finds its targets itself, by the given options. */
function selects({ options = {}, select }: Command, given: CommandInput["options"]): boolean {
  return select !== undefined &&
    Object.entries(options).some(([name, option]) => option.selects && given[name] !== undefined);
}

function findCommand(args: readonly string[]): NamedCommand {
  const [area, verb] = args.filter((arg) => !arg.startsWith("-"));
  const all = areas().join(", ");
  if (area === undefined) throw new UsageError(`Choose an area: ${all}`);
  const ofArea = commands.filter((command) => command.area === area);
  if (ofArea.length === 0) throw new UsageError(`There is no area ${area}. Areas: ${all}`);
  const command = ofArea.find((command) => command.verb === undefined || command.verb === verb);
  if (command === undefined) {
    const verbs = ofArea.map(({ verb }) => verb).join(", ");
    throw new UsageError(
      verb === undefined
        ? `${area} needs a verb: ${verbs}`
        : `${area} has no verb ${verb}. Verbs: ${verbs}`,
    );
  }
  return command;
}

/** The options that the command declares, checked. Throws `UsageError`. */
function readOptions(command: Command, values: Record<string, unknown>): CommandInput["options"] {
  const options: CommandInput["options"] = {};
  for (const [name, option] of Object.entries(command.options ?? {})) {
    if (values[name] === true) options[name] = "";
    if (option.isFlag) continue;
    const value = (values[name] as string | undefined) ?? option.default;
    if (!value?.trim() && option.required) throw new UsageError(`--${name} is required`);
    if (value === undefined) continue;
    if (option.values && !option.values.includes(value)) {
      throw new UsageError(`--${name} must be one of: ${option.values.join(", ")}`);
    }
    if (option.isCount && !/^[1-9]\d{0,8}$/.test(value)) {
      throw new UsageError(`--${name} must be a whole number, 1 or more`);
    }
    if (option.isTime && !z.iso.datetime({ offset: true }).safeParse(value).success) {
      throw new UsageError(`--${name} must be a time such as 2026-03-04T12:00:00Z`);
    }
    options[name] = value;
  }
  return options;
}

function split(
  args: readonly string[],
  command: Command,
): { values: Record<string, unknown>; positionals: string[] } {
  const own = Object.entries(command.options ?? {})
    .map(([name, { isFlag }]) => [name, { type: isFlag ? "boolean" : "string" }] as const);
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      allowPositionals: true,
      tokens: true,
      options: {
        json: { type: "boolean" },
        "dry-run": { type: "boolean" },
        ...Object.fromEntries(own),
      },
    });
    const names = tokens.flatMap((token) => token.kind === "option" ? [token.name] : []);
    const again = names.find((name, i) => names.indexOf(name) < i);
    if (again !== undefined) throw new Error(`Give --${again} only once`);
    return { values, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split(". ")[0] : String(error));
  }
}

function areas(): string[] {
  return [...new Set(commands.map(({ area }) => area))];
}

/** A command with its arguments and options, as the help shows it. */
function lineOf(command: NamedCommand): string {
  const own = Object.entries(command.options ?? {}).map(([name, option]) => {
    if (option.isFlag) return `[--${name}]`;
    const value = option.values?.join("|") ?? (option.isTime ? "TIME" : name.toUpperCase());
    return option.required ? `--${name} ${value}` : `[--${name} ${value}]`;
  });
  const names = command.args === undefined ? "" : argsOf(command);
  return [command.area, command.verb ?? "", names, ...own].filter(Boolean).join(" ");
}

/** What to type instead of a wrong command line, or where to look it up. */
export function advice(args: readonly string[]): string {
  try {
    return `Usage: deno task operator ${lineOf(findCommand(args))}`;
  } catch {
    const area = commands.find(({ area }) => args.includes(area))?.area;
    return ["See: deno task operator", area, "--help"].filter(Boolean).join(" ");
  }
}

/** The help text for one command or one area's commands, or for all if there is no such area. */
export function usage(args: readonly string[]): string {
  const [area, verb] = args.filter((arg) => !arg.startsWith("-"));
  const ofArea = commands.filter((command) => command.area === area);
  const named = ofArea.filter((command) => command.verb === verb);
  const rows = [named, ofArea, commands].find((found) => found.length > 0)!
    .map((command) => `  ${lineOf(command)}\n      ${command.summary}`);
  return [
    "deno task operator <area> [verb] [argument] [--json] [--dry-run]",
    "",
    "Works on the database in your settings. A running server picks up changes within a second.",
    "After an area or a command, --help shows only that. Put a name that starts with a dash after --, at the end.",
    "An argument with ... can be repeated. Write - to read it from standard input, one per line. Instead",
    "of slugs, you can give --since, --network and --domain to select the entries that match them all.",
    "A TIME looks like 2026-03-04T12:00:00Z. Copy a NETWORK from the output of list.",
    "Defaults: the first state listed, --limit 50, --days 7, --reason other.",
    "Exit status: 0 done, 1 refused, 2 usage error.",
    "",
    ...rows,
    "",
  ].join("\n");
}
