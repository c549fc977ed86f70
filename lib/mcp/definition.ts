import { z } from "zod";
import type { Tool } from "./tool.ts";

/** A JSON Schema as sent. */
export type JsonSchema = { [keyword: string]: unknown };

/**
 * A tool as `tools/list` sends it. Making it takes milliseconds, so it is made once, never in a
 * request.
 */
export function toolDefinition(tool: Tool) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: withoutNull(toJsonSchema(tool.input, { io: "input", reused: "inline" })),
    outputSchema: shorter(
      toJsonSchema(tool.output, { io: "output", reused: "ref" }),
      toJsonSchema(tool.output, { io: "output", reused: "inline" }),
    ),
    annotations: tool.annotations,
  };
}

/**
 * The schema metadata that definitions keep. Ids are left out because they would move schemas into
 * every tool's `$defs`; overrides and examples are for the OpenAPI document.
 */
const KEPT = new Set([
  "description",
  "enum",
  "minLength",
  "maxLength",
  "maxItems",
  "minProperties",
  "format",
  "default",
]);
const metadata = {
  get(schema: z.core.$ZodType) {
    const meta = z.globalRegistry.get(schema);
    if (meta === undefined) return undefined;
    return Object.fromEntries(Object.entries(meta).filter(([name]) => KEPT.has(name)));
  },
  has: (schema: z.core.$ZodType) => z.globalRegistry.has(schema),
} as unknown as z.core.$ZodRegistry<Record<string, unknown>>;

/** A schema in which parts that occur more than once are repeated or referred to. */
function toJsonSchema(
  schema: z.ZodObject,
  { io, reused }: { io: "input" | "output"; reused: "inline" | "ref" },
) {
  const { $schema: _default, ...rest } = z.toJSONSchema(schema, {
    io,
    metadata,
    unrepresentable: "any",
    reused,
  });
  return compact(rest, io) as JsonSchema & { type: "object" };
}

function shorter<S extends JsonSchema>(one: S, other: S): S {
  return JSON.stringify(one).length < JSON.stringify(other).length ? one : other;
}

/**
 * Removes null from argument types: an argument that can be left out needs no null. In nested
 * objects null stays, because it clears a field.
 */
function withoutNull<S extends JsonSchema>(schema: S): S {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    if (!Array.isArray(property.type)) return [name, property];
    const values = property.enum?.filter((value: unknown) => value !== null);
    return [name, { ...property, type: property.type[0], ...(values ? { enum: values } : {}) }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/**
 * Writes the same schema in fewer tokens: one list of types for nullable values, and no bounds that
 * every integer has. Result fields have only their names, and constants their values. Result
 * objects are not closed, since results may gain fields; argument objects are.
 */
function compact(node: unknown, io: "input" | "output"): unknown {
  if (Array.isArray(node)) return node.map((item) => compact(item, io));
  if (typeof node !== "object" || node === null) return node;
  const out: JsonSchema = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER) continue;
    if (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) continue;
    if (keyword === "type" && io === "output" && "const" in node) continue;
    if (keyword === "description" && io === "output" && typeof value === "string") continue;
    if (keyword === "additionalProperties" && io === "output" && isOpenOrClosed(value)) continue;
    out[keyword] = compact(value, io);
  }
  return collapseNullable(out);
}

/** True if a value of `additionalProperties` describes no property: `false`, or `{}`. */
function isOpenOrClosed(value: unknown): boolean {
  return value === false ||
    (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

function collapseNullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, none] = anyOf as JsonSchema[];
  if (none?.type !== "null" || typeof value?.type !== "string") return schema;
  const values = Array.isArray(value.enum) ? { enum: [...value.enum, null] } : {};
  return { ...value, ...values, type: [value.type, "null"], ...rest };
}
