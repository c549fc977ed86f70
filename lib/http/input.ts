import { z } from "zod";
import { DomainError, type FieldProblem, rejectProblems } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { toldBack } from "../text/clean.ts";
import { plural } from "../text/count.ts";

/**
 * Parses input by its schema. Throws `invalid_input` with every problem; those in `others` come
 * first.
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  others: FieldProblem[] = [],
): z.output<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success && others.length === 0) return parsed.data;
  throw new DomainError("invalid_input", [...others, ...problemsOf(parsed, schema)]);
}

/**
 * A body as read by its schema, which ignores unknown fields. If the body has other problems,
 * unknown fields are problems too: a required field may have been sent by another name.
 */
export function readBody<S extends z.ZodObject>(
  schema: S,
  body: unknown,
): z.ZodSafeParseResult<z.output<S>> {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed;
  return (schema.strict() as unknown as S).safeParse(body, { reportInput: true });
}

/** Parses a JSON body. Unknown fields are ignored and their names returned; see `readBody`. */
export function parseBody<S extends z.ZodObject>(
  schema: S,
  body: object,
  others: FieldProblem[] = [],
): { input: z.output<S>; ignoredFields: string[] | undefined } {
  const parsed = readBody(schema, body);
  rejectProblems([...others, ...problemsOf(parsed, schema)]);
  return { input: parsed.data!, ignoredFields: unknownNames(schema, body) };
}

/**
 * Parses the query parameters that a schema names; others are ignored. A repeated parameter or a
 * value outside its enumeration or range is `invalid_input`.
 */
export function parseQuery<S extends z.ZodObject>(schema: S, url: URL): z.output<S> {
  return parsePairs(schema, [...url.searchParams]);
}

/** Parses the names and values of a query like `parseQuery`. */
export function parsePairs<S extends z.ZodObject>(
  schema: S,
  pairs: [name: string, value: string][],
): z.output<S> {
  const problems: FieldProblem[] = [];
  const query: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = pairs.filter((pair) => pair[0] === name);
    if (values.length > 1) problems.push({ field: name, message: "Sent more than once" });
    if (values[0] !== undefined) query[name] = values[0][1];
  }
  return parseInput(schema, query, problems);
}

/** The range of an integer query parameter. */
interface QueryRange {
  min: number;
  max: number;
}
type QueryInt = z.ZodType<number, string | number>;

/** An integer query parameter with a range and a default. */
export function queryInt(options: QueryRange & { default: number }): z.ZodDefault<QueryInt> {
  return wholeNumber(options).default(options.default)
    .meta({ override: { ...rangeOf(options), default: options.default } });
}

/** The query parameter `limit` of lists. */
export const queryLimit = queryInt({
  min: 1,
  max: LIMITS.pageSizeMax,
  default: LIMITS.pageSizeDefault,
});

/** The query parameter `offset`. The contract sets no maximum beyond that of an integer. */
export const queryOffset = queryInt({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 });

/** An optional integer query parameter with a range. */
export function optionalQueryInt(options: QueryRange): z.ZodOptional<QueryInt> {
  return wholeNumber(options).optional().meta({ override: rangeOf(options) });
}

function wholeNumber({ min, max }: QueryRange): QueryInt {
  const message = max === Number.MAX_SAFE_INTEGER
    ? `Must be a whole number, ${min} or more`
    : `Must be a whole number from ${min} to ${max}`;
  return z.union([z.string().regex(/^-?\d{1,16}$/, message).transform(Number), z.number()], message)
    .refine((n) => Number.isInteger(n) && n >= min && n <= max, message) as unknown as QueryInt;
}

/** The JSON schema for the OpenAPI document, instead of the parsed union of string and number. */
function rangeOf({ min, max }: QueryRange) {
  return { type: "integer", minimum: min, maximum: max, anyOf: undefined } as const;
}

/**
 * What zod found wrong (with `reportInput`), one plain sentence per field and broken rule; empty if
 * the input passed. The message for an unknown field lists the known fields of `schema` or of the
 * object inside it.
 */
export function problemsOf(
  { error }: z.ZodSafeParseResult<unknown>,
  schema?: z.ZodType,
): FieldProblem[] {
  if (error === undefined) return [];
  const fieldOf = (issue: z.core.$ZodIssue) => issue.path.join(".") || "body";
  // A value of the wrong type has no length, but zod checks it anyway.
  const mistyped = new Set(error.issues.filter(isMistyped).map(fieldOf));
  const told = error.issues.filter((issue) => isMistyped(issue) || !mistyped.has(fieldOf(issue)));
  const problems = told.flatMap((issue): FieldProblem[] => {
    if (issue.code !== "unrecognized_keys") {
      const missing = isMissing(issue) && { isMissing: true };
      return [{ field: fieldOf(issue), message: sentence(issue), ...missing }];
    }
    const fields = fieldsAt(schema, issue.path);
    const message = fields.length === 0
      ? "You can't set this field"
      : `Unknown field. Fields: ${fields.join(", ")}`;
    return issue.keys.slice(0, 50).map((key, i) => ({
      field: [...issue.path, toldBack(key, KEY_SHOWN)].join("."),
      message: i === 0 ? message : "Unknown field",
    }));
  });
  return problems.slice(0, 100);
}

/** How much of an unknown field's name an error repeats, in UTF-16 units. */
const KEY_SHOWN = 40;

/** The names in a body that aren't fields of its schema; undefined if there are none. */
export function unknownNames(schema: z.ZodObject, sent: object): string[] | undefined {
  const names = Object.keys(sent).filter((name) => !Object.hasOwn(schema.shape, name));
  return names.length === 0
    ? undefined
    : names.slice(0, 50).map((name) => toldBack(name, KEY_SHOWN));
}

/** The names in a URL's query that aren't parameters of its schema, as `unknownNames` gives them. */
export function unknownParameters(schema: z.ZodObject, url: URL): string[] | undefined {
  return unknownNames(schema, Object.fromEntries(url.searchParams));
}

/** The fields of the object at a path of a schema; empty if there is none. */
function fieldsAt(schema: z.ZodType | undefined, path: PropertyKey[]): string[] {
  for (const name of path) schema = objectOf(schema)?.shape[name as string];
  return Object.keys(objectOf(schema)?.shape ?? {});
}

/** The object schema inside a schema, even if optional or nullable. */
function objectOf(schema: z.ZodType | undefined): z.ZodObject | undefined {
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    schema = schema.unwrap() as z.ZodType;
  }
  return schema instanceof z.ZodObject ? schema : undefined;
}

function isMistyped({ code }: z.core.$ZodIssue): boolean {
  return code === "invalid_type";
}

/** True if a required value is absent or empty. Rules that look at more say so themselves. */
function isMissing(issue: z.core.$ZodIssue): boolean {
  const isEmpty = issue.input === undefined || issue.input === "";
  return isEmpty || (issue.code === "custom" && issue.params?.isMissing === true);
}

function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_value": {
      const choices = `Must be ${issue.values.length > 1 ? "one of: " : ""}${
        issue.values.map(String).join(", ")
      }`;
      return issue.input === undefined ? `Required. ${choices}` : choices;
    }
    case "invalid_type": {
      const own = custom(issue);
      if (issue.input === undefined) return own ? `Required. ${own}` : "Required";
      return own ?? `Must be ${article(issue.expected)}`;
    }
    case "too_big":
      return bound(issue, "at most", Number(issue.maximum));
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "Must not be empty";
      return bound(issue, "at least", Number(issue.minimum));
    default:
      return issue.message;
  }
}

function bound(issue: z.core.$ZodIssue & { origin: string }, words: string, limit: number): string {
  if (issue.origin === "string") return `Must have ${words} ${plural(limit, "character")}`;
  if (issue.origin === "array") {
    return custom(issue) ?? `Must have ${words} ${plural(limit, "item")}`;
  }
  return custom(issue) ?? `Must be ${words} ${limit}`;
}

/** The issue's message if it comes from a schema, not from zod. */
function custom(issue: z.core.$ZodIssue): string | undefined {
  return /^(Invalid|Too (big|small))/.test(issue.message) ? undefined : issue.message;
}

function article(expected: string): string {
  const noun = expected === "int" ? "whole number" : expected === "record" ? "object" : expected;
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}
