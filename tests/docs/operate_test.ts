import { assert, assertEquals } from "@std/assert";
import { jobs } from "@/lib/app/crons.ts";
import { createDeps } from "@/lib/app/deps.ts";
import { parseEnv } from "@/lib/env.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { SCHEMA_VERSION } from "@/lib/migrations.ts";
import { runCli } from "@/lib/operator/cli.ts";
import type { NamedCommand } from "@/lib/operator/command.ts";
import { commands } from "@/lib/operator/commands.ts";
import { EVENT_TYPES } from "@/lib/payments/events.ts";
import { TEST_SETTINGS } from "../support/settings.ts";

const docs = new URL("../../docs/", import.meta.url);
const env = parseEnv(TEST_SETTINGS);

/** Splits a command line into words. Quoted words stay whole, and `<…>` becomes a sample name. */
function words(line: string): string[] {
  const plain = line.replaceAll(/<[^>]*>/g, "sample").replace(/\s+#.*$/, "");
  return [...plain.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
}

Deno.test("every operator command in the docs is valid", async () => {
  let found = 0;
  for (const file of ["operate.md", "payments.md", "deploy.md"]) {
    const text = await Deno.readTextFile(new URL(file, docs));
    for (const [, line = ""] of text.matchAll(/deno task operator ([^\n`|]+)/g)) {
      found++;
      const kv = await Deno.openKv(":memory:");
      await kv.set(storeKeys.schemaVersion, SCHEMA_VERSION);
      const { status, stderr } = await runCli(words(line), {
        env,
        createDeps,
        openKv: () => Promise.resolve(kv),
      });
      // 1 is fine: an empty database has nothing with the sample's name.
      assert(status !== 2, `${file}: ${line}: ${stderr}`);
    }
  }
  assert(found > 25, `${found} commands`);
});

Deno.test("operate.md and payments.md describe every operator command", async () => {
  const pages = await Promise.all(
    ["operate.md", "payments.md"].map((file) => Deno.readTextFile(new URL(file, docs))),
  );
  const lines = pages.join("\n").split("\n");
  const isNamed = ({ area, verb = "" }: NamedCommand) =>
    lines.some((line) =>
      line.includes(`deno task operator ${area}`) && line.split(/\W+/).includes(verb || area)
    );
  const missing = commands.filter((command) => !isNamed(command));
  assertEquals(missing.map(({ area, verb }) => `${area} ${verb ?? ""}`), []);
});

Deno.test("operate.md describes every job", async () => {
  const text = await Deno.readTextFile(new URL("operate.md", docs));
  assertEquals(
    jobs.filter(({ name }) => !text.includes(`| \`${name}\` `)).map(({ name }) => name),
    [],
  );
});

Deno.test("payments.md names exactly Stripe's events that are handled", async () => {
  const text = await Deno.readTextFile(new URL("payments.md", docs));
  const named = [...text.matchAll(/^ +- `([a-z_.]+)`$/gm)].map((match) => match[1]);
  assertEquals(named, [...EVENT_TYPES]);
});

Deno.test("every task that the README or the docs name exists", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("../deno.json", docs)));
  const missing: string[] = [];
  const named = new Set<string>();
  for (const file of ["operate.md", "payments.md", "deploy.md", "../README.md"]) {
    const text = await Deno.readTextFile(new URL(file, docs));
    for (const [, task = ""] of text.matchAll(/deno(?:@[\d.]+)? task ([a-z]+(?::[a-z]+)?)/g)) {
      named.add(task);
      if (!Object.hasOwn(tasks, task)) missing.push(`${file}: ${task}`);
    }
  }
  assertEquals(missing, []);
  assert(named.has("operator") && named.has("backup"), [...named].join());
});
