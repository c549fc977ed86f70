import { z } from "zod";
import { DomainError, type ErrorCode, type FieldProblem, rejectProblems } from "../errors.ts";
import { BODY_LIMITS } from "../limits.ts";
import { plural } from "../text/count.ts";
import { findDuplicateKeys, jsonShapeProblem } from "./json_scan.ts";

/** How long a body may take to arrive, in ms. */
const BODY_DEADLINE_MS = 10_000;

/** The most pieces that a body may come in, however small they are: Deno takes 40 us for each. */
const MAX_PIECES = 4_000;

/**
 * Reads a body of at most `maxBytes`, counted on the stream. Throws `payload_too_large`, `unsupported_media_type`
 * when it is content-encoded, and `invalid_json` when not all of it arrives in time.
 */
export async function readBytes(req: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = req.headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new DomainError("unsupported_media_type");
  }
  const tooLarge = () => new DomainError("payload_too_large", { maxBytes });
  if (Number(req.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  if (req.body === null) return new Uint8Array();
  let bytes = new Uint8Array();
  let size = 0;
  let pieces = 0;
  const reader = req.body.getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader.cancel("deadline").catch(() => {});
  }, BODY_DEADLINE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // A cancelled stream ends as a complete one does.
      if (isLate) throw new Error("Body passed its deadline");
      if (done) break;
      const end = size + value.byteLength;
      if (end > maxBytes || ++pieces > MAX_PIECES) {
        await reader.cancel();
        throw end > maxBytes ? tooLarge() : tooManyPieces();
      }
      // Copied at once: even a piece of one byte comes in a buffer of 64 KiB, and keeping those
      // would fill the memory.
      if (end > bytes.length) bytes = grown(bytes, { size, end, maxBytes });
      bytes.set(value, size);
      size = end;
    }
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError("invalid_json", undefined, { message: "Body did not arrive", cause });
  } finally {
    clearTimeout(timer);
  }
  return bytes.subarray(0, size);
}

/**
 * The first `size` bytes in a larger array, with room up to `end` at least. It doubles, so that a
 * body is copied about twice in all.
 */
function grown(
  bytes: Uint8Array,
  { size, end, maxBytes }: { size: number; end: number; maxBytes: number },
): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(maxBytes, Math.max(end, 2 * bytes.length)));
  larger.set(bytes.subarray(0, size));
  return larger;
}

function tooManyPieces(): DomainError {
  return new DomainError("payload_too_large", { maxPieces: MAX_PIECES }, {
    message: `Body comes in more than ${MAX_PIECES} pieces`,
  });
}

/**
 * Reads a JSON object. Throws `invalid_json`, `unsupported_media_type` or `payload_too_large`, and
 * `invalid_input` for keys given twice, nesting past 16 or more than 200 keys.
 */
export async function readJson(
  req: Request,
  options: { maxBytes?: number } = {},
): Promise<Record<string, unknown>> {
  const bytes = await readBytes(req, options.maxBytes ?? BODY_LIMITS.json);
  // First of all the contract's own word: what is no JSON object is invalid_json, whatever it is sent as.
  const body = parseJsonObject(bytes);
  const type = mediaType(req);
  if (type !== "application/json" && !type.endsWith("+json")) {
    throw new DomainError("unsupported_media_type");
  }
  return body;
}

/** The media type of a request's body, in lower case without parameters; "" if it names none. */
function mediaType(req: Request): string {
  return (req.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/** Parses a JSON object from bytes. Throws as `readJson` does. */
function parseJsonObject(bytes: Uint8Array<ArrayBuffer>): Record<string, unknown> {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    throw new DomainError("invalid_json", undefined, { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new DomainError("invalid_json");
  }
  const shape = jsonShapeProblem(value);
  if (shape !== null) rejectProblems([{ field: "body", message: shape }]);
  rejectProblems(
    findDuplicateKeys(text).map((field) => ({ field, message: "Is given more than once" })),
  );
  return value as Record<string, unknown>;
}

/**
 * Refuses a body on an address that takes none: up to 1 KiB is ignored, more is `payload_too_large`.
 */
export async function ignoreBody(req: Request): Promise<void> {
  if (hasNoBody(req.headers) || req.body === null) return;
  await readBytes(req, 1024);
}

/**
 * Whether the headers say that no body follows (asking for the body itself would make a stream). In
 * HTTP/1.1 a body is announced by one of two headers (RFC 9112, section 6.3). In HTTP/2 neither is
 * needed, and clients do not send `Host` (RFC 9113, section 8.3.1); the body of one that sends
 * `Host` and no length stays unread.
 */
function hasNoBody(headers: Headers): boolean {
  const length = headers.get("content-length");
  if (length !== null) return length === "0";
  return headers.get("transfer-encoding") === null && headers.get("host") !== null;
}

/**
 * Reads a posted form as an object: a field given several times is an array, an empty one is left out.
 * Throws `unsupported_media_type` or `payload_too_large`.
 */
export async function readForm(req: Request): Promise<Record<string, string | string[]>> {
  const bytes = await readBytes(req, BODY_LIMITS.form);
  if (mediaType(req) !== "application/x-www-form-urlencoded") {
    throw new DomainError("unsupported_media_type", undefined, {
      message: "Send the form as application/x-www-form-urlencoded",
    });
  }
  // No prototype: a field may be called "constructor".
  const form: Record<string, string | string[]> = Object.create(null);
  for (const [name, raw] of new URLSearchParams(new TextDecoder().decode(bytes))) {
    const value = raw.replaceAll("\r\n", "\n");
    if (value === "") continue;
    const before = form[name];
    if (before === undefined) form[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else form[name] = [before, value];
  }
  return form;
}

/**
 * Parses input by its schema. Throws `invalid_input`, or what `codeOf` makes of the problems, with
 * every problem, those of `others` first.
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  others: FieldProblem[] = [],
  codeOf: (problems: FieldProblem[]) => ErrorCode = () => "invalid_input",
): z.output<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success && others.length === 0) return parsed.data;
  const problems = [...others, ...problemsOf(parsed)];
  throw new DomainError(codeOf(problems), problems);
}

/**
 * Parses the query parameters that a schema names; others are ignored. A parameter given twice, a value
 * outside an enumeration or a range is `invalid_input`.
 */
export function parseQuery<S extends z.ZodObject>(schema: S, url: URL): z.output<S> {
  return parsePairs(schema, queryPairs(url));
}

/** Parses the names and values of a query as `parseQuery` does. */
export function parsePairs<S extends z.ZodObject>(
  schema: S,
  pairs: [name: string, value: string][],
): z.output<S> {
  const problems: FieldProblem[] = [];
  const query: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = pairs.filter((pair) => pair[0] === name);
    if (values.length > 1) problems.push({ field: name, message: "Is given more than once" });
    if (values[0] !== undefined) query[name] = values[0][1];
  }
  return parseInput(schema, query, problems);
}

/** A name or value that needs no encoding in a query. */
const PLAIN = /^[\w.*-]*$/;
/** A query in which nothing needs decoding. */
const PLAIN_QUERY = /^\?[\w.*-]+=[\w.*-]*(?:&[\w.*-]+=[\w.*-]*)*$/;

/** The names and values of a query, in its order. Most need no decoding, which takes Deno 2 us. */
export function queryPairs(url: URL): [name: string, value: string][] {
  const { search } = url;
  if (search === "") return [];
  if (!PLAIN_QUERY.test(search)) return [...url.searchParams];
  return search.slice(1).split("&").map((pair) => pair.split("=") as [string, string]);
}

/** Writes names and values as the query of an address, without the question mark. */
export function toQuery(pairs: [name: string, value: string][]): string {
  const isPlain = pairs.every((pair) => pair.every((text) => PLAIN.test(text)));
  return isPlain ? pairs.map((pair) => pair.join("=")).join("&") : `${new URLSearchParams(pairs)}`;
}

/** The range of a query parameter that is a whole number. */
interface QueryRange {
  min: number;
  max: number;
  description?: string;
}
type QueryInt = z.ZodType<number, string | number>;

/** A query parameter that is a whole number in a range, with a default. */
export function queryInt(options: QueryRange & { default: number }): z.ZodDefault<QueryInt> {
  return wholeNumber(options).default(options.default)
    .meta({
      description: options.description,
      override: { ...rangeOf(options), default: options.default },
    });
}

/** The query parameter `offset`: the contract gives it no maximum. */
export const queryOffset = queryInt({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 });

/** A query parameter that is a whole number in a range, or absent. */
export function optionalQueryInt(options: QueryRange): z.ZodOptional<QueryInt> {
  return wholeNumber(options).optional()
    .meta({ description: options.description, override: rangeOf(options) });
}

function wholeNumber({ min, max }: QueryRange): QueryInt {
  const message = `Must be a whole number from ${min} to ${max}`;
  return z.union([z.string().regex(/^-?\d{1,16}$/, message).transform(Number), z.number()], message)
    .refine((n) => Number.isInteger(n) && n >= min && n <= max, message) as unknown as QueryInt;
}

/**
 * The JSON schema for the OpenAPI document, in place of the union of string and number that is
 * parsed.
 */
function rangeOf({ min, max }: QueryRange) {
  return { type: "integer", minimum: min, maximum: max, anyOf: undefined } as const;
}

/**
 * The problems that zod found (with `reportInput`), one for each field and rule, as plain
 * sentences. None if the input passed.
 */
export function problemsOf({ error }: z.ZodSafeParseResult<unknown>): FieldProblem[] {
  if (error === undefined) return [];
  const fieldOf = (issue: z.core.$ZodIssue) => issue.path.join(".") || "body";
  // A value of the wrong type has no length to judge, though zod judges it.
  const mistyped = new Set(error.issues.filter(isMistyped).map(fieldOf));
  const told = error.issues.filter((issue) => isMistyped(issue) || !mistyped.has(fieldOf(issue)));
  const problems = told.flatMap((issue): FieldProblem[] => {
    const field = fieldOf(issue);
    if (issue.code === "unrecognized_keys") {
      const prefix = issue.path.length > 0 ? `${issue.path.join(".")}.` : "";
      return issue.keys.slice(0, 50).map((key) => ({
        field: prefix + key.slice(0, 100),
        message: "Is not a field that can be set here",
      }));
    }
    return [{ field, message: sentence(issue) }];
  });
  return problems.slice(0, 100);
}

function isMistyped({ code }: z.core.$ZodIssue): boolean {
  return code === "invalid_type";
}

function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "Is required";
      return `Must be ${article(issue.expected)}`;
    case "invalid_value":
      if (issue.input === undefined) return "Is required";
      return `Must be one of: ${issue.values.map(String).join(", ")}`;
    case "too_big":
      if (issue.origin === "string") {
        return `Must have at most ${plural(Number(issue.maximum), "character")}`;
      }
      if (issue.origin === "array") {
        return custom(issue) ?? `Must have at most ${plural(Number(issue.maximum), "item")}`;
      }
      return custom(issue) ?? `Must be at most ${issue.maximum}`;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "Must not be empty";
      if (issue.origin === "string") {
        return `Must have at least ${plural(Number(issue.minimum), "character")}`;
      }
      if (issue.origin === "array") {
        return `Must have at least ${plural(Number(issue.minimum), "item")}`;
      }
      return custom(issue) ?? `Must be at least ${issue.minimum}`;
    default:
      return issue.message;
  }
}

/** The message of an issue when a schema wrote it, not zod. */
function custom(issue: z.core.$ZodIssue): string | undefined {
  return /^(Invalid|Too (big|small))/.test(issue.message) ? undefined : issue.message;
}

function article(expected: string): string {
  const noun = expected === "int" ? "whole number" : expected === "record" ? "object" : expected;
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}
