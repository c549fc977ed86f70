/** Where the framework's names lead on machines that reach JSR. */
const FRESH = {
  "fresh": "jsr:@fresh/core@^2.3",
  "fresh/runtime": "jsr:@fresh/core@^2.3/runtime",
  "fresh/dev": "jsr:@fresh/core@^2.3/dev",
};

interface Config {
  imports: Record<string, string>;
}

/** The configuration that serves the app by Fresh itself: `deno.json` but for three names. */
export function freshConfig(config: Config): Config {
  // The lock file names what `deno.json` resolves to; Fresh brings packages that are not in it.
  return { ...config, lock: false, imports: { ...config.imports, ...FRESH } } as Config;
}

// `deno run -RW tests/fresh/config.ts` writes deno.fresh.json anew.
if (import.meta.main) {
  const config = JSON.parse(Deno.readTextFileSync("deno.json"));
  Deno.writeTextFileSync("deno.fresh.json", JSON.stringify(freshConfig(config), null, 2) + "\n");
}
