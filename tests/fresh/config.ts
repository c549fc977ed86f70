/** Where the framework's names lead on machines that reach JSR, and what it shares with the app. */
const FRESH = {
  "fresh": "jsr:@fresh/core@^2.3",
  "fresh/runtime": "jsr:@fresh/core@^2.3/runtime",
  "fresh/dev": "jsr:@fresh/core@^2.3/dev",
  "@preact/signals": "npm:@preact/signals@2.11.4",
};

interface Config {
  imports: Record<string, string>;
  tasks: Record<string, { description: string; command: string }>;
}

/**
 * The configuration that serves the app by Fresh itself: `deno.json` but for these names, and for
 * tasks that name this configuration in turn.
 */
export function freshConfig(config: Config): Config {
  const tasks = Object.entries(config.tasks).map(([name, { description, command }]) => {
    const named = command
      .replaceAll(/\bdeno (run|task|test|check)\b/g, "deno $1 --config deno.fresh.json")
      // Its builder makes the folder of the project, where that is not there.
      .replaceAll("--allow-write=_fresh", "--allow-write=.");
    return [name, { description, command: named }];
  });
  return {
    ...config,
    tasks: Object.fromEntries(tasks),
    // The lock file names what `deno.json` resolves to; Fresh brings packages that are not in it.
    lock: false,
    imports: { ...config.imports, ...FRESH },
  } as Config;
}

// `deno run -RW tests/fresh/config.ts` writes deno.fresh.json anew.
if (import.meta.main) {
  const config = JSON.parse(Deno.readTextFileSync("deno.json"));
  Deno.writeTextFileSync("deno.fresh.json", JSON.stringify(freshConfig(config), null, 2) + "\n");
}
