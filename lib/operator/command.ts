import type { Deps } from "./deps.ts";

/** The result of a command: lines for people, data for programs. */
export interface Outcome {
  lines: string[];
  data: Record<string, unknown>;
  /** What a dry run shows instead, where the result would be of use only if it were written. */
  preview?: Omit<Outcome, "preview">;
}

/** The input of a command: its arguments and options by name, checked against its row. */
export interface CommandInput {
  /**
   * Over an audited store if the row names an action. In a dry run, over a KV that writes nothing.
   */
  deps: Deps;
  args: Record<string, string>;
  options: Record<string, string>;
}

/** An option of a command: `--name VALUE`, or `--name` for a flag. */
export interface CommandOption {
  values?: readonly string[];
  /** Whether it is a whole number from 1 on. */
  isCount?: boolean;
  /** Whether it says what a command works on that takes many. */
  selects?: boolean;
  /** Whether it stands alone, without a value. */
  isFlag?: boolean;
  /** Whether it is a time in ISO 8601, with its zone. */
  isTime?: boolean;
  default?: string;
  required?: boolean;
}

/** A command of the same area that takes another one back, by default for the same arguments. */
export interface Reversal {
  verb: string;
  args?: Record<string, string>;
  options?: Record<string, string>;
}

/** One row of the table of commands. */
export interface Command {
  area: string;
  /** Absent where the area alone is the command. */
  verb?: string;
  /** Names of the positional arguments, all required. */
  args?: readonly string[];
  /**
   * Whether the last argument can be given many times, or as lines of standard input. The command
   * then runs once for each, with a log entry of its own.
   */
  isMany?: true;
  /** Finds values of that argument when none is given, by the options that select. */
  select?(input: CommandInput): Promise<string[]>;
  options?: Record<string, CommandOption>;
  summary: string;
  /** The kind that the public log shows; absent for commands that only read. */
  action?: string;
  /** What takes it back; absent where nothing does. It is asked before the command runs. */
  undo?(input: CommandInput): Reversal | Promise<Reversal>;
  /** Whether it changes something by other commands, which name their actions. */
  runsOthers?: true;
  run(input: CommandInput): Promise<Outcome>;
}

/** The outcome of a command that changes something, or finds that it is so already. */
export function changed(changed: boolean, done: string, otherwise: string): Outcome {
  return { lines: [changed ? done : `${otherwise}; nothing changed`], data: { changed } };
}
