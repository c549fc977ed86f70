import { assert, assertEquals } from "@std/assert";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { addRoute, createRouter, findRoute } from "rou3";
import { operations } from "@/lib/app/operations.ts";
import { parseEnv } from "@/lib/env.ts";
import type { ErrorCode } from "@/lib/errors.ts";
import { buildDocument } from "@/lib/openapi/document.ts";
import { ERROR_DETAILS } from "@/lib/openapi/error_details.ts";
import { DRY_RUN } from "@/lib/openapi/operation.ts";
import { createUrls } from "@/lib/urls.ts";
import { schemaValidator } from "./json_schema.ts";

const BASE = "http://projectory.test";
const document = JSON.parse(JSON.stringify(
  buildDocument(operations, parseEnv({ BASE_URL: BASE, KV_PATH: ":memory:" }), createUrls(BASE)),
));

const ajv = schemaValidator({
  meta: false,
  validateSchema: false,
  // Schemas compile in half the time, and few values are checked against each.
  inlineRefs: false,
  code: { optimize: false },
});
ajv.addSchema(document, "openapi.json");
const validators = new Map<string, ValidateFunction>();

const router = createRouter<string>();
for (const [path, item] of Object.entries(document.paths as Record<string, object>)) {
  for (const method of Object.keys(item)) {
    addRoute(router, method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ":$1"), path);
  }
}

/** The code of errors that no operation lists. They are under `default`. */
const UNFORESEEN: ErrorCode = "internal_error";

/**
 * Asserts that a response matches the OpenAPI document: a known operation, status, error code and
 * content type, and a JSON body that fits its schema. URLs outside the API are pages and are
 * skipped.
 */
export async function assertConforms(req: Request, response: Response): Promise<void> {
  const { pathname } = new URL(req.url);
  const method = req.method === "HEAD" ? "GET" : req.method;
  const found = findRoute(router, method, pathname);
  const isApi = pathname.startsWith("/api/v1");
  const label = `${req.method} ${pathname} -> ${response.status}`;
  if (found === undefined) {
    const isError = [400, 403, 404, 405].includes(response.status);
    const isPreflight = req.method === "OPTIONS";
    assert(!isApi || isError || isPreflight, `${label}: no such operation in the OpenAPI document`);
    return;
  }
  const operation = document.paths[found.data][method.toLowerCase()];
  assert(
    response.status !== 304 || operation.responses[304] !== undefined,
    `${label}: no 304 is described`,
  );
  if (response.status === 304 || req.method === "HEAD") return;
  if (response.status === 200 && method === "GET") {
    const isConditional = operation.responses[304] !== undefined;
    assert(response.headers.has("etag") === isConditional, `${label}: ETag and 304`);
  }
  const status = [`${response.status}`, ...(response.status === 200 ? [DRY_RUN] : [])]
    .find((described) => described in operation.responses) ?? "default";
  assert(response.status >= 400 || status !== "default", `${label}: status is not described`);
  assert(
    response.status !== 429 || /^\d+$/.test(response.headers.get("retry-after") ?? ""),
    `${label}: Retry-After is missing`,
  );
  const media = (response.headers.get("content-type") ?? "").split(";")[0]!;
  const shared: string | undefined = operation.responses[status].$ref?.split("/").at(-1);
  const { content = {}, headers = {} } = shared === undefined
    ? operation.responses[status]
    : document.components.responses[shared];
  assert(
    !response.headers.has("retry-after") || "Retry-After" in headers,
    `${label}: Retry-After is not described`,
  );
  assert(media === "" || media in content, `${label}: content type ${media} is not described`);
  if (!media.endsWith("json")) return;
  const validate = validatorOf([
    ...(shared === undefined
      ? ["paths", found.data, method.toLowerCase(), "responses", status]
      : ["components", "responses", shared]),
    "content",
    media,
    "schema",
  ]);
  const body = await unzipped(response).json();
  const fits = validate(body);
  assert(fits, `${label}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body, null, 1)}`);
  if (body.error === undefined) return;
  const { code, details } = body.error as { code: ErrorCode; details?: unknown };
  assertEquals(keysOf(details), keysOf(ERROR_DETAILS[code]), `${label}: details of ${code}`);
  const isNamed = status === "default" ? code === UNFORESEEN : code in content[media].examples;
  assert(isNamed, `${label}: the error code ${code} is not described`);
}

/** The keys of an error's details; for a list, those of each entry. */
function keysOf(details: unknown): string[] {
  const parts = [details ?? {}].flat() as object[];
  return [...new Set(parts.flatMap((part) => Object.keys(part)))].sort();
}

function unzipped(response: Response): Response {
  if (response.headers.get("content-encoding") !== "gzip") return response;
  return new Response(response.body!.pipeThrough(new DecompressionStream("gzip")));
}

function validatorOf(pointer: string[]): ValidateFunction {
  const key = pointer
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  let validate = validators.get(key);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `openapi.json#/${key}` }) as ValidateFunction;
    validators.set(key, validate);
  }
  return validate;
}
