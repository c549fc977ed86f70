/** The framework's imports on machines that can reach JSR, and a package that it shares with the app. */
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
 * The configuration that serves the app with Fresh itself: `deno.json` with these imports, and with
 * tasks that use this configuration.
 */
export function freshConfig(config: Config): Config {
  const tasks = Object.entries(config.tasks).map(([name, { description, command }]) => {
    const named = command
      .replaceAll(/\bdeno (run|task|test|check)\b/g, "deno $1 --config deno.fresh.json")
      // Fresh's builder creates the project folder if it doesn't exist.
      .replaceAll("--allow-write=_fresh", "--allow-write=.");
    return [name, { description, command: named }];
  });
  return {
    ...config,
    tasks: Object.fromEntries(tasks),
    // The lock file belongs to `deno.json`. Fresh adds packages that aren't in it.
    lock: false,
    imports: { ...config.imports, ...FRESH },
  } as Config;
}

// `deno run -RW tests/fresh/config.ts` updates deno.fresh.json.
if (import.meta.main) {
  const config = JSON.parse(Deno.readTextFileSync("deno.json"));
  Deno.writeTextFileSync("deno.fresh.json", JSON.stringify(freshConfig(config), null, 2) + "\n");
}
