import { assert, assertEquals } from "@std/assert";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { JsonSchema } from "@/lib/mcp/definition.ts";
import { TOOL_DEFINITIONS } from "@/lib/mcp/server.ts";
import { assertRecorded } from "../support/recorded.ts";

const NAMES = TOOL_DEFINITIONS.map(({ name }) => name);

/** A schema and those in it, each with its path. */
function* schemasIn(schema: JsonSchema, path: string): Generator<[string, JsonSchema]> {
  yield [path, schema];
  const { properties = {}, items, $defs = {} } = schema as Record<
    string,
    Record<string, JsonSchema>
  >;
  for (const [name, part] of Object.entries(properties)) yield* schemasIn(part, `${path}.${name}`);
  if (items !== undefined) yield* schemasIn(items, `${path}[]`);
  for (const [name, part] of Object.entries($defs)) yield* schemasIn(part, name);
}

/** The file has the contract's tools, in the order of its table. */
Deno.test("the tools and their definitions are exactly those in definitions.txt, in order", async () => {
  const tools = TOOL_DEFINITIONS.map(({ inputSchema, outputSchema, ...about }) => {
    const schemas = [...schemasIn(inputSchema, "input"), ...schemasIn(outputSchema, "output")];
    const lines = schemas.map(([path, { properties: _, items: __, $defs: ___, ...own }]) =>
      `${path} ${JSON.stringify(own)}\n`
    );
    return `${JSON.stringify(about)}\n${lines.join("")}`;
  });
  await assertRecorded(tools.join("\n"), {
    file: new URL("definitions.txt", import.meta.url),
    write: Deno.args.includes("--update"),
    update: "deno test -A tests/mcp/definitions_test.ts -- --update",
  });
});

Deno.test("every argument is described and bounded, and unknown arguments are rejected", () => {
  for (const { name, inputSchema } of TOOL_DEFINITIONS) {
    assertEquals(inputSchema.additionalProperties, false, name);
    for (const [path, schema] of schemasIn(inputSchema, name)) {
      if (path === name || path.endsWith("[]")) continue;
      const type = [schema.type].flat()[0];
      assert(typeof schema.description === "string", `${path} has no description`);
      if (type === "object") assertEquals(schema.additionalProperties, false, path);
      if (type === "string") {
        assert(
          "enum" in schema || "maxLength" in schema || "pattern" in schema,
          `${path} is unbounded`,
        );
      }
      if (type === "integer") assert("maximum" in schema && "minimum" in schema, path);
      if (type === "array") assert("maxItems" in schema, `${path} is unbounded`);
    }
  }
});

Deno.test("no tool declares custom headers or task support", () => {
  const sent = JSON.stringify(TOOL_DEFINITIONS);
  assert(!sent.includes("x-mcp-header"));
  assert(!sent.includes("taskSupport"));
});

Deno.test("tool annotations are accurate: read-only, destructive, idempotent and open-world", () => {
  const having = (hint: "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint") =>
    TOOL_DEFINITIONS.filter(({ annotations }) => annotations[hint]).map(({ name }) => name);
  const writes = ["submit_project", "update_project", "vote_project", "create_promotion_checkout"]
    .concat(["place_bid", "vote_best_ai", "check_in", "get_skill", "submit_skill", "vote_skill"]);
  assertEquals(having("readOnlyHint"), NAMES.filter((name) => !writes.includes(name)));
  assertEquals(having("destructiveHint"), ["update_project"]);
  const adds = ["submit_project", "create_promotion_checkout", "place_bid", "submit_skill"];
  assertEquals(having("idempotentHint"), NAMES.filter((name) => !adds.includes(name)));
  const outside = ["update_project", "create_promotion_checkout", "place_bid"];
  assertEquals(having("openWorldHint"), outside);
  for (const { name, annotations } of TOOL_DEFINITIONS) {
    assertEquals(Object.keys(annotations).length, 4, name);
  }
});

Deno.test("tools/list stays under 10,000 tokens", () => {
  const tokens = countTokens(JSON.stringify({ tools: TOOL_DEFINITIONS }));
  assert(tokens < 10_000, `${tokens} tokens: shorten or leave out a description in lib/mcp/tools/`);
});

Deno.test("tools/list stays within Latin-1, which is faster to send", () => {
  // deno-lint-ignore no-control-regex
  assertEquals(JSON.stringify(TOOL_DEFINITIONS).match(/[^\x00-\xff]/g), null);
});
