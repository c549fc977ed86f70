import { assert, assertEquals } from "@std/assert";
import { parse } from "yaml";
import { DomainError } from "@/lib/errors.ts";
import { serveMcp } from "@/lib/mcp/endpoint.ts";
import { inFolder } from "../support/folder.ts";
import { servedApp } from "../support/served.ts";
import { FIXTURES } from "./conformance/fixtures.ts";

/** The suite, pinned. The import map of deno.json puts it in the lock file. */
const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** What the suite checks per revision: scenarios, and checks that pass on the handler. */
const REVISIONS = [
  { revision: "2026-07-28", scenarios: 50, passing: 145 },
  { revision: "2025-11-25", scenarios: 33, passing: 55 },
];

/** The lists of `excused.<revision>.yml`. */
interface Excused {
  /** Checks, as `scenario:check`, that need what only the suite's example server has. */
  fixtures: string[];
  /** Scenarios for optional features of the specification that this server doesn't declare. */
  optional: { reason: string; specification: string; scenarios: string[] }[];
}

interface Checks {
  scenarios: number;
  passed: string[];
  /** Failures and warnings, as `scenario:check`. */
  failed: string[];
}

for (const { revision, scenarios, passing } of REVISIONS) {
  const file = new URL(`conformance/excused.${revision}.yml`, import.meta.url);
  const excused = parse(Deno.readTextFileSync(file)) as Excused;
  const optional = new Set(excused.optional.flatMap((group) => group.scenarios));
  const isOptional = (check: string) => optional.has(scenarioOf(check));

  Deno.test(`the site passes the conformance suite for ${revision}, except excused checks`, async () => {
    await using app = await servedApp();
    const checks = await runSuite(`${app.base}/api/mcp`, revision);
    assertEquals(checks.scenarios, scenarios);
    assertEquals(checks.failed.filter((check) => !isOptional(check)), excused.fixtures);
    const failing = new Set(checks.failed.map(scenarioOf));
    assertEquals([...optional].filter((scenario) => !failing.has(scenario)), []);
  });

  Deno.test(`the protocol handler passes the conformance suite for ${revision} with the suite's fixtures`, async () => {
    await using server = serveFixtures();
    const checks = await runSuite(server.url, revision);
    assertEquals(checks.scenarios, scenarios);
    assertEquals(checks.failed.filter((check) => !isOptional(check)), []);
    assert(checks.passed.length >= passing, `${checks.passed.length} checks passed`);
    const passed = new Set(checks.passed);
    assertEquals(excused.fixtures.filter((check) => !passed.has(check)), []);
  });
}

function scenarioOf(check: string): string {
  return check.split(":")[0]!;
}

/** Runs every scenario of a revision, including the optional ones. */
async function runSuite(url: string, revision: string): Promise<Checks> {
  return await inFolder(async (output) => {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", SUITE, "server", "--url", url, "--requirements", revision, "-o", output],
    }).output();
    const checks = await readChecks(output);
    const text = new TextDecoder().decode(stderr) + new TextDecoder().decode(stdout);
    assert(checks.passed.length > 0, text);
    return checks;
  });
}

async function readChecks(output: string): Promise<Checks> {
  const checks: Checks = { scenarios: 0, passed: [], failed: [] };
  for await (const { name } of Deno.readDir(output)) {
    checks.scenarios++;
    const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
    const entries: { id: string; status: string }[] = JSON.parse(
      await Deno.readTextFile(`${output}/${name}/checks.json`),
    );
    for (const { id, status } of entries) {
      if (status === "SUCCESS") checks.passed.push(`${scenario}:${id}`);
      if (status === "FAILURE" || status === "WARNING") checks.failed.push(`${scenario}:${id}`);
    }
  }
  checks.failed = [...new Set(checks.failed)].sort();
  return checks;
}

/** Serves the suite's fixtures through the product's protocol handler, on a free port. */
function serveFixtures(): AsyncDisposable & { url: string } {
  const stop = new AbortController();
  const answer = async (req: Request): Promise<Response> => {
    try {
      return await serveMcp(FIXTURES, req, { origin });
    } catch (error) {
      if (error instanceof DomainError) return new Response(error.code, { status: error.status });
      throw error;
    }
  };
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", signal: stop.signal, onListen: () => {} },
    answer,
  );
  const origin = `http://localhost:${server.addr.port}`;
  return {
    url: `${origin}/api/mcp`,
    [Symbol.asyncDispose]: () => {
      stop.abort();
      return server.finished;
    },
  };
}
