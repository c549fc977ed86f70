// Builds and serves a copy of the site with an older Deno from npm, and sends a few requests:
// `deno run --allow-all tests/floor.ts 2.5.0`.
import { assertEquals, assertStringIncludes } from "@std/assert";
import { atMost } from "@/lib/clock.ts";
import { copySite } from "./support/copy_site.ts";
import { freePort } from "./support/free_port.ts";
import { until } from "./support/until.ts";

const version = Deno.args[0] ?? "2.5.0";
const port = freePort();
const base = `http://127.0.0.1:${port}`;
const folder = await copySite();

// `npx` doesn't forward signals, so it is only used to find the program.
const asked = await new Deno.Command("npx", {
  args: ["-y", `deno@${version}`, "eval", "-p", "Deno.execPath()"],
}).output();
const program = new TextDecoder().decode(asked.stdout).trim();

function start(task: string): Deno.ChildProcess {
  return new Deno.Command(program, {
    args: ["task", "--quiet", task],
    cwd: folder,
    env: { PORT: `${port}`, NO_COLOR: "1" },
    stdout: "null",
  }).spawn();
}

async function ask(path: string, body?: unknown): Promise<string> {
  const response = await fetch(base + path, {
    method: body === undefined ? "GET" : "POST",
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assertEquals(response.status, body === undefined ? 200 : 201, `${path}: ${text}`);
  return text;
}

try {
  assertEquals((await start("build").status).code, 0, "the build failed");
  const server = start("serve");
  try {
    await until("the site responds", () => ask("/robots.txt").then(() => true, () => false));
    await ask("/api/v1/projects", { name: "First", url: "https://first.dev", tagline: "One" });
    assertStringIncludes(await ask("/api/v1/projects?q=first"), '"slug":"first"');
    // The search waited for the catalogue. Until that is loaded, health is degraded.
    assertStringIncludes(await ask("/api/v1/health"), '"status":"ok"');
    assertStringIncludes(await ask("/p/first"), "<title>First");
    assertStringIncludes(await ask("/p/first.md"), "# First");
    await ask("/p/first/og.png");
    await ask("/submit");
  } finally {
    server.kill("SIGTERM");
    await atMost(15_000, server.status);
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
// deno-lint-ignore no-console -- what a person or CI reads
console.log(`Deno ${version} builds and serves the site`);
