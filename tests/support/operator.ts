import { createDeps } from "@/lib/app/deps.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import type { Change, Pulse } from "@/lib/kv/store.ts";
import { type CliResult, runCli } from "@/lib/operator/cli.ts";
import type { TestApp } from "./app.ts";
import { kvWith } from "./kv_with.ts";

/** Runs an operator command beside a running app, on the same KV. */
export function operator(app: TestApp, ...args: string[]): Promise<CliResult> {
  return operatorReading(app, "", ...args);
}

/** Runs an operator command that gets `input` on standard input. */
export async function operatorReading(
  app: TestApp,
  input: string,
  ...args: string[]
): Promise<CliResult> {
  const { env, store, clock, sync } = app.deps;
  const kv = kvWith(store.kv, { close: () => {} });
  const known = new Set((await logged(app)).map(({ id }) => id));
  const result = await runCli(args, {
    env,
    clock,
    createDeps,
    openKv: () => Promise.resolve(kv),
    readInput: () => Promise.resolve(input),
  });
  // What another process wrote comes through the logs; ids of this very process are told by hand.
  for (const entry of await logged(app)) {
    if (known.has(entry.id)) continue;
    store.notify(
      "event" in entry
        ? { type: "change", change: entry, foreign: true }
        : { type: "pulse", pulse: entry, foreign: true },
    );
  }
  await sync.settled();
  return result;
}

/** What stands in the logs of changes and of counters' steps. */
async function logged({ deps: { store } }: TestApp): Promise<(Change | Pulse)[]> {
  const changes = await Array.fromAsync(store.list<Change>({ prefix: storeKeys.changes }));
  const pulses = await Array.fromAsync(store.list<Pulse[]>({ prefix: storeKeys.pulses }));
  return [...changes.map(({ value }) => value), ...pulses.flatMap(({ value }) => value)];
}
