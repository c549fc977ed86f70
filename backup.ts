// Backup, restore and verification of the KV in the settings: see `deno task backup --help`.
import { runBackupCli } from "./lib/backup/cli.ts";
import { readEnv, SettingError } from "./lib/env.ts";
import { say } from "./lib/operator/terminal.ts";

const progress = (line: string) => say(Deno.stdout, `${line}\n`);

try {
  Deno.exit(await runBackupCli(Deno.args, { env: readEnv(), progress }));
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  progress(error.message);
  Deno.exit(1);
}
