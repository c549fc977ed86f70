import { isoTime } from "../clock.ts";
import type { Deps } from "./deps.ts";

/** The result of a command: lines for people, data for programs. */
export interface Outcome {
  lines: string[];
  data: Record<string, unknown>;
  /** What a dry run shows instead, if the result is only useful once written. */
  preview?: Omit<Outcome, "preview">;
}

/** A command's input: its arguments and options by name, checked against its row. */
export interface CommandInput {
  /** Has an audited store if the row names an action. In a dry run, its KV writes nothing. */
  deps: Deps;
  args: Record<string, string>;
  options: Record<string, string>;
}

/** An option of a command: `--name VALUE`, or `--name` for a flag. */
interface CommandOption {
  values?: readonly string[];
  /** True if it is a whole number from 1 up. */
  isCount?: boolean;
  /** True if it selects the targets of a command that takes many. */
  selects?: boolean;
  /** True if it takes no value. */
  isFlag?: boolean;
  /** True if it is an ISO 8601 time with a time zone. */
  isTime?: boolean;
  default?: string;
  required?: boolean;
}

/** A command in the same area that reverses another one, by default with the same arguments. */
export interface Reversal {
  verb: string;
  args?: Record<string, string>;
  options?: Record<string, string>;
}

/** One row of the table of commands. */
export interface Command {
  /** Names of the positional arguments, all required. */
  args?: readonly string[];
  /**
   * True if the last argument can be repeated, or read from lines of standard input. The command
   * then runs once for each, with its own log entry.
   */
  isMany?: true;
  /** Finds values of that argument by the selecting options, if none is given. */
  select?(input: CommandInput): Promise<string[]>;
  options?: Record<string, CommandOption>;
  summary: string;
  /** Its kind in the public log; absent for commands that only read. */
  action?: string;
  /** The command that reverses it; absent if none does. Called before the command runs. */
  undo?(input: CommandInput): Reversal | Promise<Reversal>;
  /** True if it makes changes through other commands, which name their actions. */
  runsOthers?: true;
  run(input: CommandInput): Promise<Outcome>;
}

/** Rows by the words that call them: an area and a verb, or the area alone. */
export type Commands = Readonly<Record<string, Command>>;

/** A row with the words that call it. */
export interface NamedCommand extends Command {
  area: string;
  verb?: string;
}

/** A parsed command line. */
export interface Parsed {
  command: NamedCommand;
  args: Record<string, string>;
  /** The values of the last argument of a command that takes many. */
  targets: string[];
  options: Record<string, string>;
  json: boolean;
  dryRun: boolean;
}

/** The outcome of a command that changes something, or finds it already done. */
export function changed(
  changed: boolean,
  done: string,
  otherwise = done,
  data: Outcome["data"] = {},
): Outcome {
  const line = changed ? done : `${otherwise}; nothing changed`;
  return { lines: [line], data: { changed, ...data } };
}

/** A replacer for `JSON.stringify` that makes stored times readable. */
export function readableTime(name: string, value: unknown): unknown {
  const isTime = typeof value === "number" && /^(at|since|asOf)$|At$/.test(name);
  return isTime ? isoTime(value) : value;
}

/** The outcome of a command that shows everything about one thing. */
export function shown(name: string, value: unknown): Outcome {
  return { lines: [JSON.stringify(value, readableTime, 2)], data: { [name]: value } };
}

/** The outcome of a command that lists things, one on each line, and then their `total`. */
export function listed<T>(
  name: string,
  items: T[],
  total: string,
  line: (item: T) => string,
): Outcome {
  return { lines: [...items.map(line), total], data: { [name]: items } };
}
