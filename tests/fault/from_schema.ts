import fc from "fast-check";

/** A JSON schema as in our documents. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  pattern?: string;
  format?: string;
}

/** Numbers from 0 to 1 by a seed. */
export type Random = () => number;

/** A random item of a list. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!;
}

/** A whole number from `min` to `max`. */
export function wholeNumber(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

const POOL = 100;
const WORDS = "a quick tool that reads notes and answers in plain words for small teams".split(" ");
const pools = new Map<string, string[]>();

/** Generates values that fit a schema; `root` resolves `$ref`. */
export function valueOf(schema: JsonSchema, root: unknown, random: Random): unknown {
  if (schema.$ref !== undefined) return valueOf(resolve(schema.$ref, root), root, random);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return pick(random, schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return valueOf(pick(random, choices), root, random);
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => valueOf(part, root, random)));
  }
  switch (Array.isArray(schema.type) ? pick(random, schema.type) : schema.type) {
    case "string":
      return stringOf(schema, random);
    case "integer":
    case "number":
      return numberOf(schema, random);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    case "array": {
      const min = schema.minItems ?? 0;
      const length = wholeNumber(random, min, Math.max(min, Math.min(schema.maxItems ?? 3, 4)));
      const items = Array.from({ length }, () => valueOf(schema.items ?? {}, root, random));
      return [...new Set(items)];
    }
    case "object": {
      const required = new Set(schema.required ?? []);
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => required.has(name) || random() < 0.4)
          .map(([name, part]) => [name, valueOf(part, root, random)]),
      );
    }
    default:
      return randomJson(random);
  }
}

/** The schema after resolving references. */
export function resolve(ref: string, root: unknown): JsonSchema {
  let at = root as Record<string, unknown>;
  for (const part of ref.replace(/^#\//, "").split("/")) at = at[part] as typeof at;
  return at as JsonSchema;
}

/** Any JSON value, sometimes nested. */
export function randomJson(random: Random, depth = 0): unknown {
  switch (wholeNumber(random, 0, depth > 5 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return random() < 0.5;
    case 2:
      return pick(random, [0, -1, 1.5, 1e308, -0, 9007199254740993, wholeNumber(random, -9, 1e9)]);
    case 3:
    case 4:
    case 5:
      return words(random, wholeNumber(random, 0, 40));
    case 6:
      return Array.from(
        { length: wholeNumber(random, 0, 5) },
        () => randomJson(random, depth + 1),
      );
    default:
      return Object.fromEntries(
        Array.from({ length: wholeNumber(random, 0, 5) }, () => [
          pick(random, ["name", "slug", "url", "__proto__", "", "constructor", "x"]),
          randomJson(random, depth + 1),
        ]),
      );
  }
}

function stringOf(schema: JsonSchema, random: Random): string {
  if (schema.format === "uri") {
    return `https://${words(random, 9).replaceAll(" ", "-")}-${
      wholeNumber(random, 0, 1e9)
    }.example.com/${wholeNumber(random, 0, 99)}`;
  }
  if (schema.format === "email") return `a${wholeNumber(random, 0, 1e6)}@example.com`;
  if (schema.pattern !== undefined) {
    return pick(random, poolOf(schema.pattern, random)).slice(0, schema.maxLength);
  }
  const min = schema.minLength ?? 1;
  const max = Math.max(min, Math.min(schema.maxLength ?? 80, random() < 0.1 ? 20_000 : 60));
  return words(random, wholeNumber(random, min, max)).padEnd(min, "x");
}

function numberOf(schema: JsonSchema, random: Random): number {
  const min = schema.minimum ?? schema.exclusiveMinimum ?? 0;
  const max = schema.maximum ?? min + 100;
  return random() < 0.2 ? pick(random, [min, max]) : wholeNumber(random, min, max);
}

/** Strings that match a pattern, generated once per run. */
function poolOf(pattern: string, random: Random): string[] {
  let pool = pools.get(pattern);
  if (pool === undefined) {
    const seed = wholeNumber(random, 0, 2 ** 31 - 1);
    pool = fc.sample(fc.stringMatching(new RegExp(pattern)), { seed, numRuns: POOL });
    pools.set(pattern, pool);
  }
  return pool;
}

function words(random: Random, length: number): string {
  let text = "";
  while (text.length < length) text += (text === "" ? "" : " ") + pick(random, WORDS);
  return text.slice(0, length).trim();
}
