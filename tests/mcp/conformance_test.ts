import { assert, assertEquals } from "@std/assert";
import { servedApp } from "../support/served.ts";

/** The suite, pinned; it is in the lock file by the import map of deno.json. */
const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** What a failing check says where it asks for the suite's own example server. */
const WANTS_FIXTURE =
  /Unknown (tool|prompt): "(test_|slow_compute|failing_job|protocol_error_job|greet|confirm_delete|multi_input)|test:\/\/|does not list the diagnostic tool|exposes no tool with x-mcp-header|json_schema_2020_12_tool/;
/** Checks that build on one which wants a fixture, or on a capability that is not declared. */
const BUILDS_ON_ONE = /^(sep-2322-(multi-round-r1|reject-tampered-state)|tasks-|sep-2663-)/;
const OPTIONAL = /^(logging-set-level|resources-(un)?subscribe|tools-call-with-logging)$/;

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
  errorMessage?: string;
}

for (const [revision, fewest] of [["2026-07-28", 80], ["2025-11-25", 30]] as const) {
  Deno.test(`the conformance suite passes for ${revision}, but for what needs its own fixtures`, async () => {
    await using app = await servedApp();
    const output = await Deno.makeTempDir();
    const baseline = new URL(`conformance/expected_failures.${revision}.yml`, import.meta.url);
    const url = `${app.base}/api/mcp`;
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", SUITE, "server", "--url", url, "--requirements", revision]
        .concat(["--expected-failures", baseline.pathname, "-o", output]),
    }).output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    const checks = await readChecks(output);
    await Deno.remove(output, { recursive: true });
    assertEquals(code, 0, text);
    const passed = checks.filter(({ status }) => status === "SUCCESS");
    assert(passed.length >= fewest, `${passed.length} checks passed`);
    const unexplained = checks.filter(({ id, status, errorMessage }) =>
      status === "FAILURE" && !WANTS_FIXTURE.test(errorMessage ?? "") &&
      !BUILDS_ON_ONE.test(id) && !OPTIONAL.test(id)
    );
    assertEquals(unexplained, []);
  });
}

async function readChecks(output: string): Promise<Check[]> {
  const checks: Check[] = [];
  for await (const { name } of Deno.readDir(output)) {
    checks.push(...JSON.parse(await Deno.readTextFile(`${output}/${name}/checks.json`)));
  }
  return checks;
}
