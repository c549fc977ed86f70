// Operator commands on the KV that the settings name: see `deno task operator --help`.
import { readEnv, SettingError } from "./lib/env.ts";
import { openExistingKv } from "./lib/kv/open.ts";
import { runCli } from "./lib/operator/cli.ts";

try {
  const env = readEnv();
  const result = await runCli(Deno.args, { env, openKv: () => openExistingKv(env) });
  await Deno.stdout.write(new TextEncoder().encode(result.stdout));
  await Deno.stderr.write(new TextEncoder().encode(result.stderr));
  // Whatever the dependencies have running ends here.
  Deno.exit(result.status);
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  await Deno.stderr.write(new TextEncoder().encode(`${error.message}\n`));
  Deno.exit(1);
}
