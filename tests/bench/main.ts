// `deno task bench [scenario ...]`: builds, runs the scenarios and prints a table of ratios, each row as soon as it
// was measured, side by side in this run. Rates of one machine say nothing about another; the ratios are what counts.
import { printHead, printRow, type Row } from "./harness.ts";
import { community } from "./scenarios/community.ts";
import { lists } from "./scenarios/lists.ts";
import { mcp } from "./scenarios/mcp.ts";
import { mixed } from "./scenarios/mixed.ts";
import { pages } from "./scenarios/pages.ts";
import { reads } from "./scenarios/reads.ts";
import { search } from "./scenarios/search.ts";
import { start } from "./scenarios/start.ts";
import { writes } from "./scenarios/writes.ts";

const scenarios: Record<string, () => Promise<Row[]> | AsyncIterable<Row>> = {
  pages,
  reads,
  writes,
  lists,
  search,
  start,
  mcp,
  mixed,
  community,
};

const wanted = Deno.args.length > 0 ? Deno.args : Object.keys(scenarios);
if (wanted.some((name) => !Object.hasOwn(scenarios, name))) {
  // deno-lint-ignore no-console -- how the command is used
  console.error(`deno task bench [scenario ...], of ${Object.keys(scenarios).join(", ")}`);
  Deno.exit(2);
}

const build = new Deno.Command(Deno.execPath(), { args: ["task", "-q", "build"] }).outputSync();
if (!build.success) throw new Error(new TextDecoder().decode(build.stderr));

// Whatever scenarios, servers and probes keep for the time of the run; it may be gigabytes.
const folder = await Deno.makeTempDir({ prefix: "projectory-bench-" });
Deno.env.set("TMPDIR", folder);
try {
  printHead();
  for (const name of wanted) {
    for await (const row of await scenarios[name]!()) printRow(row);
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
Deno.exit(0);
