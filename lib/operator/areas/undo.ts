import { isoTime } from "../../clock.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { StoredAction, StoredUndo } from "../actions.ts";
import type { Command, NamedCommand, Outcome } from "../command.ts";
import type { Deps } from "../deps.ts";
import { operatorKeys } from "../keys.ts";
import { runEach, runOne } from "../runs.ts";

/** The command that undoes the last run of another one, whatever its targets. */
export function undoCommand(rows: readonly NamedCommand[]): Command {
  return {
    summary:
      "Undo the last reversible command from the last 7 days: hide, approve, hold, block, switches",
    runsOthers: true,
    async run({ deps }) {
      const { undos, reversed, staying } = await readLastRun(deps, rows);
      const byLine = new Map(undos.map((undo) => [lineOf(undo.value), undo]));
      const { lines, data } = await runEach("command", [...byLine.keys()].sort(), (line) => {
        return takeBack(deps, rows, byLine.get(line)!);
      });
      return {
        lines: [
          `Reversing ${reversed.kind} of ${isoTime(reversed.at)}`,
          ...lines,
          ...staying.map(({ kind, at }) =>
            `${kind} of ${isoTime(at)} is more recent, but can't be undone`
          ),
        ],
        data: { ...data, reversed: reversed.kind, stays: staying.map(({ kind }) => kind) },
      };
    },
  };
}

type Undo = Deno.KvEntry<StoredUndo>;

/**
 * The reversals of the last run, its last action, and later ones that can't be undone. Throws
 * `not_found`.
 */
async function readLastRun(
  { store }: Deps,
  rows: readonly NamedCommand[],
): Promise<{ undos: Undo[]; reversed: StoredAction; staying: StoredAction[] }> {
  const latest = store.list<StoredUndo>({ prefix: operatorKeys.undos }, {
    reverse: true,
    limit: 1,
  });
  const [last] = await Array.fromAsync(latest);
  if (last === undefined) throw notFound("Nothing to undo from the last 7 days");
  const [, run, id] = last.key as string[];
  const undos = await Array.fromAsync(
    store.list<StoredUndo>({ prefix: operatorKeys.undosOf(run!) }),
  );
  const final = new Set(rows.filter(({ undo }) => undo === undefined).map(({ action }) => action));
  const since = { prefix: operatorKeys.actions, start: operatorKeys.action(id!) };
  const actions = (await Array.fromAsync(store.list<StoredAction>(since)))
    .map(({ value }) => value);
  const staying = actions.filter(({ kind }) => final.has(kind));
  return { undos, reversed: actions[0]!, staying };
}

/**
 * Runs the command that reverses an action. It is not tried again, even if refused, so the next
 * undo reaches the action before it.
 */
async function takeBack(
  deps: Deps,
  rows: readonly NamedCommand[],
  { key, value }: Undo,
): Promise<Outcome> {
  const { area, verb, args, options } = value;
  const command = rows.find((row) => row.area === area && row.verb === verb);
  const done = () => deps.store.transact((tx) => tx.delete(key));
  try {
    if (command === undefined) throw notFound("This command no longer exists");
    const outcome = await runOne(deps, { command, args, options }, null);
    await done();
    return outcome;
  } catch (error) {
    if (error instanceof DomainError && error.code !== "storage_unavailable") await done();
    throw error;
  }
}

function lineOf({ area, verb, args, options }: StoredUndo): string {
  const given = Object.entries(options).map(([name, value]) => `--${name} ${value}`);
  return [area, verb, ...Object.values(args), ...given].join(" ");
}
