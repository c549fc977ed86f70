import { createApp } from "./lib/app/app.ts";
import { startJobs } from "./lib/app/crons.ts";
import { openDeps } from "./lib/app/deps.ts";
import { type Env, readEnv, SettingError } from "./lib/env.ts";
import { DomainError, inOneLine } from "./lib/errors.ts";

/** Aborts startup with one clear line if a setting is invalid or KV can't be read. */
function stop(error: unknown): never {
  if (!(error instanceof SettingError || error instanceof DomainError)) throw error;
  // deno-lint-ignore no-console -- there is no log yet
  console.error(
    error instanceof SettingError
      ? error.message
      : `Cannot start: KV failed: ${inOneLine(error.cause)}`,
  );
  Deno.exit(1);
}

function readSettings(): Env {
  try {
    return readEnv();
  } catch (error) {
    stop(error);
  }
}

const env = readSettings();
const opening = openDeps(env, { acceptNewSalt: Deno.args.includes("--accept-new-salt") }).catch(
  stop,
);
startJobs(env, opening);

/** The dependencies of this process. */
export const deps = await opening;

/** The app that Fresh serves. */
export const app = createApp(deps);
