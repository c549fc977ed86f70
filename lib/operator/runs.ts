import { DomainError, type FieldProblem, inOneLine } from "../errors.ts";
import { createLogId } from "../kv/log_id.ts";
import { audited, type ReasonClass } from "./actions.ts";
import type { Outcome, Parsed } from "./command.ts";
import type { Deps } from "./deps.ts";

/** A command with its arguments and options. */
type Run = Pick<Parsed, "command" | "args" | "options">;

/**
 * Runs a command once and logs all its changes as one action. Its reversal is stored under `run`,
 * the id shared by all commands started together; null stores none.
 */
export async function runOne(
  deps: Deps,
  { command, args, options }: Run,
  run: string | null = createLogId(deps.clock.now()),
): Promise<Outcome> {
  const { action, area } = command;
  if (action === undefined) return await command.run({ deps, args, options });
  const reversal = run === null ? undefined : await command.undo?.({ deps, args, options });
  const worked = audited(deps, {
    kind: action,
    reason: options.reason as ReasonClass ?? null,
    undo: reversal && { run: run!, command: { area, args, options: {}, ...reversal } },
  });
  return await command.run({ deps: worked, args, options });
}

/** The targets of a command that takes many: as given, from standard input, or as selected. */
export async function targetsOf(
  deps: Deps,
  { command, args, targets, options }: Parsed,
  readInput?: () => Promise<string>,
): Promise<string[]> {
  if (targets.length === 0) return await command.select!({ deps, args, options });
  if (targets.length > 1 || targets[0] !== "-") return [...new Set(targets)];
  const lines = (await readInput?.() ?? "").split("\n").map((line) => line.trim());
  return [...new Set(lines.filter(Boolean))];
}

/** How many targets a command works on in parallel: their commits go to KV together. */
const AT_ONCE = 32;

/**
 * Runs a command for each target. For a single target, the outcome is the same as that of a command
 * for one.
 */
export async function runMany(deps: Deps, parsed: Parsed, targets: string[]): Promise<Outcome> {
  const name = parsed.command.args!.at(-1)!;
  const run = createLogId(deps.clock.now());
  const runFor = (target: string) =>
    runOne(deps, { ...parsed, args: { ...parsed.args, [name]: target } }, run);
  if (parsed.targets.length === 1 && parsed.targets[0] !== "-") return await runFor(targets[0]!);
  return await runEach(name, targets, runFor);
}

/** Runs something for each of many targets. A refused target doesn't stop the others. */
export async function runEach(
  name: string,
  targets: readonly string[],
  runFor: (target: string) => Promise<Outcome>,
): Promise<Outcome> {
  const results: { target: string; outcome?: Outcome; refusal?: string }[] = targets
    .map((target) => ({ target }));
  const waiting = results.values();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const result of waiting) {
      try {
        result.outcome = await runFor(result.target);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        result.refusal = sentence(error);
      }
    }
  }));
  const changed = results.filter(({ outcome }) => outcome?.data.changed === true).length;
  const refused = results.filter(({ refusal }) => refusal !== undefined).length;
  const unchanged = results.length - changed - refused;
  return {
    lines: [
      ...results.flatMap(({ target, outcome, refusal }) =>
        outcome?.lines ?? [`Refused: ${target}: ${refusal}`]
      ),
      `${changed} changed, ${unchanged} unchanged, ${refused} refused`,
    ],
    data: {
      changed,
      unchanged,
      refused,
      results: results.map(({ target, outcome, refusal }) => ({
        [name]: target,
        ...(refusal === undefined ? outcome!.data : { refused: refusal }),
      })),
    },
  };
}

/** What a refused command tells the operator. */
export function sentence(error: DomainError): string {
  // Only the operator sees KV's own message: it tells a full disk from another user's file.
  if (error.cause !== undefined) return `${error.message} (${inOneLine(error.cause)})`;
  if (error.code !== "invalid_input") return error.message;
  // The rules of a schema don't name their field.
  return (error.details as FieldProblem[])
    .map(({ field, message }) => message.replace(/^Must\b/, `The ${field} must`)).join("; ");
}
