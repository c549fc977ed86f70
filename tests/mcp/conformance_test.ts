import { assertEquals } from "@std/assert";
import { parse } from "yaml";
import { testApp } from "../support/app.ts";
import { inFolder } from "../support/folder.ts";
import { freePort } from "../support/free_port.ts";

/** The suite, pinned. The import map of deno.json puts it in the lock file. */
const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** The protocol's revisions, and how many scenarios the suite has for each. */
const REVISIONS = [["2026-07-28", 50], ["2025-11-25", 33]] as const;

/** The lists of `excused.<revision>.yml`. */
interface Excused {
  /** Checks, as `scenario:check`, that need what only the suite's example server has. */
  fixtures: string[];
  /** Scenarios for optional features of the specification that this server doesn't declare. */
  optional: { reason: string; specification: string; scenarios: string[] }[];
}

for (const [revision, scenarios] of REVISIONS) {
  const file = new URL(`conformance/excused.${revision}.yml`, import.meta.url);
  const excused = parse(Deno.readTextFileSync(file)) as Excused;
  const optional = new Set(excused.optional.flatMap((group) => group.scenarios));
  const isOptional = (check: string) => optional.has(scenarioOf(check));

  Deno.test(`the site passes the conformance suite for ${revision}, except excused checks`, async () => {
    const port = freePort();
    await using app = await testApp({ env: { BASE_URL: `http://localhost:${port}` } });
    const stop = new AbortController();
    const { signal } = stop;
    Deno.serve({ hostname: "127.0.0.1", port, signal, onListen() {} }, app.handler);
    const ran = await runSuite(`http://localhost:${port}/api/mcp`, revision);
    // The suite may have left a stream open, which a graceful shutdown would wait for.
    stop.abort();
    assertEquals(ran.scenarios, scenarios);
    assertEquals(ran.failed.filter((check) => !isOptional(check)), excused.fixtures);
    const failing = new Set(ran.failed.map(scenarioOf));
    assertEquals([...optional].filter((scenario) => !failing.has(scenario)), []);
  });
}

function scenarioOf(check: string): string {
  return check.split(":")[0]!;
}

/**
 * Runs every scenario of a revision, including the optional ones. Returns how many there are, and
 * the failures and warnings, as `scenario:check`.
 */
async function runSuite(
  url: string,
  revision: string,
): Promise<{ scenarios: number; failed: string[] }> {
  return await inFolder(async (output) => {
    await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", SUITE, "server", "--url", url, "--requirements", revision, "-o", output],
      stdout: "null",
      stderr: "inherit",
    }).output();
    const failed = new Set<string>();
    let scenarios = 0;
    for await (const { name } of Deno.readDir(output)) {
      scenarios++;
      const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
      const checks: { id: string; status: string }[] = JSON.parse(
        await Deno.readTextFile(`${output}/${name}/checks.json`),
      );
      for (const { id, status } of checks) {
        if (status === "FAILURE" || status === "WARNING") failed.add(`${scenario}:${id}`);
      }
    }
    return { scenarios, failed: [...failed].sort() };
  });
}
