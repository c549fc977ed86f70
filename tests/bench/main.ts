// `deno task bench [scenario ...]`: builds the service, runs the scenarios and prints a table, each
// row as soon as it has been measured. See docs/performance.md for how to read it.
import type { Row } from "./harness.ts";
import { lists } from "./scenarios/lists.ts";
import { search } from "./scenarios/search.ts";
import { start } from "./scenarios/start.ts";
import { tail } from "./scenarios/tail.ts";
import { votes } from "./scenarios/votes.ts";
import { isMet, printHead, printLast, printRow, seconds } from "./table.ts";

const scenarios: Record<string, () => AsyncIterable<Row>> = { start, lists, search, votes, tail };

const wanted = Deno.args.length > 0 ? Deno.args : Object.keys(scenarios);
if (wanted.some((name) => !Object.hasOwn(scenarios, name))) {
  // deno-lint-ignore no-console -- how the command is used
  console.error(`deno task bench [scenario ...], of ${Object.keys(scenarios).join(", ")}`);
  Deno.exit(2);
}

const begun = performance.now();
const build = new Deno.Command(Deno.execPath(), { args: ["task", "-q", "build"] }).outputSync();
if (!build.success) throw new Error(new TextDecoder().decode(build.stderr));

// For the files that scenarios and servers need during the run.
const folder = await Deno.makeTempDir({ prefix: "projectory-bench-" });
Deno.env.set("TMPDIR", folder);
let missed = 0;
try {
  printHead();
  let last = begun;
  for (const name of wanted) {
    for await (const row of scenarios[name]!()) {
      const now = performance.now();
      printRow(row, now - last);
      last = now;
      if (!isMet(row)) missed++;
    }
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
const verdict = missed === 0 ? "every row meets its target" : `${missed} rows say NO`;
printLast(`${seconds(performance.now() - begun)} in all; ${verdict}`);
Deno.exit(missed === 0 ? 0 : 1);
