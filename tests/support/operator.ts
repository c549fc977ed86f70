import { createDeps } from "@/lib/app/deps.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import type { Change, Pulse } from "@/lib/kv/store.ts";
import { type CliResult, runCli } from "@/lib/operator/cli.ts";
import type { TestApp } from "./app.ts";
import { kvWith } from "./kv_with.ts";

/** Runs an operator command next to a running app, on the same KV. */
export function operator(app: TestApp, ...args: string[]): Promise<CliResult> {
  return operatorReading(app, "", ...args);
}

/** The JSON that an operator command prints. */
export async function operatorJson(app: TestApp, ...args: string[]) {
  return JSON.parse((await operator(app, ...args, "--json")).stdout);
}

/** Runs an operator command with `input` on standard input. */
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
  // Other processes' writes arrive through the logs; ids of this process are passed by hand.
  for (const entry of await logged(app)) {
    if (known.has(entry.id)) continue;
    store.tell(
      "event" in entry
        ? { type: "change", change: entry, foreign: true }
        : { type: "pulse", pulse: entry, foreign: true },
    );
  }
  await sync.caughtUp();
  return result;
}

/** The entries in the logs of changes and of counter steps. */
async function logged({ deps: { store } }: TestApp): Promise<(Change | Pulse)[]> {
  const changes = await Array.fromAsync(store.list<Change>({ prefix: storeKeys.changes }));
  const pulses = await Array.fromAsync(store.list<Pulse[]>({ prefix: storeKeys.pulses }));
  return [...changes.map(({ value }) => value), ...pulses.flatMap(({ value }) => value)];
}
