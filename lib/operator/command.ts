import type { Deps } from "../deps.ts";

/** What a command did: lines for people, data for programs. */
export interface Outcome {
  lines: string[];
  data: Record<string, unknown>;
}

/** What a command is given: its arguments and options by name, checked against its row. */
export interface CommandInput {
  /** Over an audited store where the row names an action; over one that writes nothing in a dry run. */
  deps: Deps;
  args: Record<string, string>;
  options: Record<string, string>;
}

/** An option of a command: `--name VALUE`. */
export interface CommandOption {
  describe: string;
  values?: readonly string[];
  /** Whether it is a whole number from 1 on. */
  isCount?: boolean;
  default?: string;
  required?: boolean;
}

/** One row of the table of commands. */
export interface Command {
  area: string;
  /** Absent where the area alone is the command. */
  verb?: string;
  /** Names of the positional arguments, all required. */
  args?: readonly string[];
  options?: Record<string, CommandOption>;
  summary: string;
  /** The kind under which the public log shows it; absent for commands that only look. */
  action?: string;
  run(input: CommandInput): Promise<Outcome>;
}

/** The outcome of a command that changes something, or finds it changed already. */
export function changed(changed: boolean, done: string, otherwise: string): Outcome {
  return { lines: [changed ? done : `${otherwise}; nothing changed`], data: { changed } };
}
