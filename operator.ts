// Operator commands on the KV in the settings: see `deno task operator --help`.
import { createDeps, openStripe } from "./lib/app/deps.ts";
import { readEnv, SettingError } from "./lib/env.ts";
import { OutcomeUnknown } from "./lib/kv/commit.ts";
import { openExistingKv } from "./lib/kv/open.ts";
import { runCli } from "./lib/operator/cli.ts";
import { say } from "./lib/operator/terminal.ts";

try {
  const env = readEnv();
  const stripe = await openStripe(env);
  const result = await runCli(Deno.args, {
    env,
    openKv: () => openExistingKv(env),
    readInput: () => new Response(Deno.stdin.readable).text(),
    createDeps: (env, options) => createDeps(env, { ...options, stripe }),
  });
  say(Deno.stdout, result.stdout);
  say(Deno.stderr, result.stderr);
  // Stops anything the dependencies still have running.
  Deno.exit(result.status);
} catch (error) {
  if (!(error instanceof SettingError || error instanceof OutcomeUnknown)) throw error;
  say(Deno.stderr, `${error.message}\n`);
  Deno.exit(1);
}
