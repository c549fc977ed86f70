import { Buffer } from "node:buffer";
import { DomainError, ERRORS, rejectProblems } from "../errors.ts";
import { BODY_LIMITS } from "../limits.ts";
import { formatCount } from "../text/count.ts";
import { findDuplicateKeys, jsonShapeProblem, jsonSizeProblem } from "./json_scan.ts";

/** How long a body may take to arrive, in ms. */
const BODY_DEADLINE_MS = 10_000;

/** The most chunks in a body, however small: Deno takes 40 us for each. */
const MAX_PIECES = 4_000;

/**
 * Reads a body of up to `maxBytes`, counted on the stream. Throws `payload_too_large`,
 * `unsupported_media_type` if it is content-encoded and not empty, and `invalid_json` if it does
 * not arrive in time.
 */
export async function readBytes(req: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = req.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  const tooLarge = () => new DomainError("payload_too_large", { maxBytes });
  if (Number(req.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  if (req.body === null) return new Uint8Array();
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = req.body.getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader.cancel("deadline").catch(() => {});
  }, BODY_DEADLINE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // A canceled stream ends just like a complete one.
      if (isLate) throw new Error("Body timed out");
      if (done) break;
      // An empty body can be one empty chunk.
      if (encoding !== "identity" && value.byteLength > 0) {
        await reader.cancel();
        throw new DomainError("unsupported_media_type");
      }
      size += value.byteLength;
      // Copied: even a one-byte chunk comes in a 64 KiB buffer, and keeping those would fill memory.
      pieces.push(value.slice());
      if (size > maxBytes || pieces.length > MAX_PIECES) {
        await reader.cancel();
        throw size > maxBytes ? tooLarge() : tooManyPieces();
      }
    }
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError("invalid_json", undefined, {
      message: "The body is incomplete",
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(pieces);
}

function tooManyPieces(): DomainError {
  return new DomainError("payload_too_large", { maxPieces: MAX_PIECES }, {
    message: `The body arrived in more than ${MAX_PIECES} chunks`,
  });
}

/**
 * Reads a JSON object. Throws `invalid_json`, `unsupported_media_type` or `payload_too_large`, and
 * `invalid_input` for duplicate keys, nesting deeper than 16, or more than 200 keys or 2,000
 * values.
 */
export async function readJson(
  req: Request,
  options: { maxBytes?: number } = {},
): Promise<Record<string, unknown>> {
  return jsonFrom(req, await readBytes(req, options.maxBytes ?? BODY_LIMITS.json));
}

/** Like `readJson`, but a missing body counts as an empty object. */
export async function readJsonIfAny(req: Request): Promise<Record<string, unknown>> {
  const bytes = await readBytes(req, BODY_LIMITS.json);
  return bytes.length === 0 ? {} : jsonFrom(req, bytes);
}

function jsonFrom(req: Request, bytes: Uint8Array<ArrayBuffer>): Record<string, unknown> {
  // The contract comes first: anything but a JSON object is invalid_json, whatever its media type.
  const body = parseJsonObject(bytes);
  const type = mediaType(req);
  if (type !== "application/json" && !type.endsWith("+json")) {
    throw new DomainError("unsupported_media_type");
  }
  return body;
}

/** The media type of a request's body, in lower case without parameters; "" if there is none. */
function mediaType(req: Request): string {
  return (req.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/** The part of the input that V8 quotes in its error message. */
const QUOTED = /(?:, )?(?:\.{3})?".*$/s;

/** Parses a JSON object from bytes. Throws like `readJson`. */
function parseJsonObject(bytes: Uint8Array<ArrayBuffer>): Record<string, unknown> {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // An array is not a JSON object; no need to parse it.
    if (text.trimStart().startsWith("[")) throw new DomainError("invalid_json");
    const size = jsonSizeProblem(text);
    if (size !== null) rejectProblems([{ field: "body", message: size }]);
    value = JSON.parse(text);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    // V8 names one UTF-16 unit, which can be half an emoji. Strict JSON does not allow that.
    const why = cause instanceof TypeError
      ? "it is not valid UTF-8"
      : (cause as Error).message.replace(QUOTED, "").toWellFormed();
    const message = ERRORS.invalid_json.message + (why && `: ${why}`);
    throw new DomainError("invalid_json", undefined, { message, cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new DomainError("invalid_json");
  }
  const shape = jsonShapeProblem(value);
  if (shape !== null) rejectProblems([{ field: "body", message: shape }]);
  rejectProblems(
    findDuplicateKeys(text).map((field) => ({ field, message: "Sent more than once" })),
  );
  return value as Record<string, unknown>;
}

/** Refuses a body where none is expected: up to 1 KiB is ignored, more is `payload_too_large`. */
export async function ignoreBody(req: Request): Promise<void> {
  await readBytes(req, 1024);
}

/** The maximum number of fields in a form: each costs more than its bytes. */
const FIELDS_MAX = 1_000;

/** The number of name-value pairs in an encoded form or query, including empty ones. */
export function countPairs(encoded: string): number {
  return encoded.split("&").length;
}

/**
 * Reads a posted form as an object: a repeated field becomes an array, and empty fields are left
 * out. Throws `unsupported_media_type`, `payload_too_large`, and `invalid_input` for more than
 * 1,000 fields.
 */
export async function readForm(req: Request): Promise<Record<string, string | string[]>> {
  const bytes = await readBytes(req, BODY_LIMITS.form);
  if (mediaType(req) !== "application/x-www-form-urlencoded") {
    throw new DomainError("unsupported_media_type", undefined, {
      message: "Send the form as application/x-www-form-urlencoded",
    });
  }
  const text = new TextDecoder().decode(bytes);
  if (countPairs(text) > FIELDS_MAX) {
    const message = `Must have at most ${formatCount(FIELDS_MAX)} fields`;
    rejectProblems([{ field: "body", message }]);
  }
  // No prototype: a field can be called "constructor".
  const form: Record<string, string | string[]> = Object.create(null);
  for (const [name, raw] of new URLSearchParams(text)) {
    const value = raw.replaceAll("\r\n", "\n");
    if (value === "") continue;
    const before = form[name];
    if (before === undefined) form[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else form[name] = [before, value];
  }
  return form;
}
