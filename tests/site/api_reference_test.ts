import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { apiReference } from "@/lib/site/api_reference.ts";
import { ThemeProposal } from "@/lib/themes/theme.ts";
import { testApp } from "../support/app.ts";

Deno.test("/api.md lists every allowed value and property of each field, and complete commands", async () => {
  await using app = await testApp();
  const text = await app.text("/api.md");
  const { body: document } = await app.json("/openapi.json");
  const { components: { schemas } } = document;
  let compared = 0;
  let bodies = 0;
  const rows = text.split("\n").filter((line) => line.startsWith("| "));
  for (const [name, { properties = {} }] of Object.entries<Record<string, object>>(schemas)) {
    if (!/(Input|Patch)$/.test(name)) continue;
    for (const [field, schema] of Object.entries<Record<string, unknown>>(properties as never)) {
      const values = (schema.enum ?? (schema.items as typeof schema)?.enum ?? []) as string[];
      compared += values.length;
      const told = rows.filter((row) => row.startsWith(`| \`${field}\``)).join("\n");
      assertEquals(values.filter((value) => value !== null && !told.includes(value)), [], field);
    }
  }
  const proposal = rows.find((row) => row.startsWith("| `themeProposal`"))!;
  const parts = Object.keys(ThemeProposal.shape);
  assert(parts.length === 13 && parts.every((part) => proposal.includes(part)), proposal);
  assertStringIncludes(rows.find((row) => row.startsWith("| `tags`"))!, "^[a-z0-9-]{1,24}$");
  for (const { curl } of apiReference(document).flatMap(({ operations }) => operations)) {
    const [, json] = /-d '(.*)'$/s.exec(curl) ?? [];
    if (json === undefined) continue;
    JSON.parse(json.replaceAll("'\\''", "'"));
    bodies++;
  }
  assert(compared > 30 && bodies > 8, `${compared} values, ${bodies} bodies`);
});

Deno.test("/api.md lists an operation's statuses in order, including that of a dry run", async () => {
  await using app = await testApp();
  const { body: document } = await app.json("/openapi.json");
  const operations = apiReference(document).flatMap(({ operations }) => operations);
  for (const { id, responses } of operations) {
    const statuses = responses.map(({ status }) => Number(status));
    assertEquals(statuses, statuses.toSorted((a, b) => a - b), id);
  }
  const { responses } = operations.find(({ method, path }) =>
    method === "POST" && path === "/api/v1/projects"
  )!;
  assertEquals(responses.slice(0, 2).map(({ status }) => status), ["200", "201"]);
});

Deno.test("/api.md shows each parameter's default, and the edit key where it is required", async () => {
  await using app = await testApp();
  const text = await app.text("/api.md");
  const entries = new Map(
    text.split("\n### ").map((
      entry,
    ) => [/^(GET|POST|PATCH|DELETE) `[^`]+`/m.exec(entry)?.[0], entry]),
  );
  const { paths } = (await app.json("/openapi.json")).body;
  let defaults = 0;
  let keys = 0;
  for (const [path, methods] of Object.entries<Record<string, Operation>>(paths)) {
    for (const [method, { parameters = [], security = [] }] of Object.entries(methods)) {
      const entry = entries.get(`${method.toUpperCase()} \`${path}\``)!;
      for (const { name, schema } of parameters) {
        if (schema.default === undefined) continue;
        const row = entry.split("\n").find((line) => line.startsWith(`| \`${name}\``))!;
        assertStringIncludes(row, `; default ${schema.default}\``);
        defaults++;
      }
      assertEquals(entry.includes("| `X-Edit-Key` required | header |"), security.length > 0, path);
      keys += security.length > 0 ? 1 : 0;
    }
  }
  assert(defaults > 10 && keys === 9, `${defaults} defaults, ${keys} keys`);
});

interface Operation {
  parameters?: { name: string; schema: { default?: unknown } }[];
  security?: unknown[];
}
