import { createApp } from "./lib/app/app.ts";
import { startJobs } from "./lib/app/crons.ts";
import { openDeps } from "./lib/app/deps.ts";
import { readEnv, SettingError } from "./lib/env.ts";
import { DomainError, inOneLine } from "./lib/errors.ts";

/** Stops the start with one clear line where a setting is bad, or KV fails while it is read. */
async function open() {
  try {
    return await openDeps(readEnv());
  } catch (error) {
    if (!(error instanceof SettingError || error instanceof DomainError)) throw error;
    // deno-lint-ignore no-console -- there is no log yet
    console.error(
      error instanceof SettingError
        ? error.message
        : `Cannot start: KV failed: ${inOneLine(error.cause)}`,
    );
    Deno.exit(1);
  }
}

const opening = open();
startJobs(opening);

/** The dependencies of this process. */
export const deps = await opening;

/** The app that Fresh serves. */
export const app = createApp(deps);
