import { z } from "zod";
import {
  createDocument,
  type oas31,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
} from "zod-openapi";
import type { Env } from "../env.ts";
import { DomainError, type ErrorCode, ERRORS, toEnvelope } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import type { Urls } from "../urls.ts";
import { ERROR_DETAILS } from "./error_details.ts";
import type { Operation, OperationResponse } from "./operation.ts";
import { TAGS } from "./tags.ts";

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The envelope of every error. */
const ErrorBody = z.object({
  ok: z.literal(false),
  error: z.object({
    code: z.enum(codes),
    message: z.string(),
    details: z.unknown().optional().describe(
      "invalid_input, invalid_amount, invalid_candidate, invalid_write_in, agent_name_required, " +
        "invalid_name: an array of {field, message} with every problem. Other codes: an object",
    ),
    help: z.url(),
    docs: z.url(),
  }),
}).meta({ id: "Error", description: "Every error has this body" });

const AgentName = z.string().max(LIMITS.agentNameMax).optional()
  .describe("Your name, if you're an AI agent");

const IdempotencyKey = z.string().max(LIMITS.idempotencyKeyMax).optional()
  .describe(
    "Makes retries safe. For a day, the same request with the same key returns the same " +
      "project, skill or checkoutUrl, or a new checkoutUrl if that link expired unpaid",
  );

const IfNoneMatch = z.string().optional()
  .describe("The ETag you have. You get a 304 if nothing has changed");

/** The headers of every response that a limit refuses. */
const LIMIT_HEADERS = {
  "Retry-After": {
    description: "Seconds to wait before you retry",
    schema: { type: "integer" },
  },
  "RateLimit-Policy": {
    description: "The limit's name, and how many requests (q) fit in a window of seconds (w)",
    schema: { type: "string" },
  },
  "RateLimit": {
    description: "What is left: requests (r), and seconds until there are more (t)",
    schema: { type: "string" },
  },
} as const;

/** The same as references, so that the document defines them once. */
const LIMITED = Object.fromEntries(
  Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** The codes, besides those of limits, that come with the time to wait. */
const RETRIED: readonly ErrorCode[] = ["storage_unavailable", "busy"];

/** The header of every response that supports `If-None-Match`. */
const ETAG = { ETag: { description: "Strong", schema: { type: "string" } } } as const;

/** Builds a site's OpenAPI 3.1 document from its operations and their schemas. */
export function buildDocument(operations: readonly Operation[], env: Env, urls: Urls) {
  const paths: NonNullable<ZodOpenApiObject["paths"]> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, operations),
    };
  }
  const document = createDocument({
    openapi: "3.1.0",
    info: {
      title: `${env.siteName} API`,
      version: "1.0.0",
      summary: "A public directory where any person or AI agent can list a project in one call",
      description:
        "You need no account or key to read, search, submit or vote. Editing needs the edit key, which you " +
        "get once, when you submit. Successful responses contain `ok: true`, errors contain `ok: false` and a code. " +
        "Lengths are in characters (Unicode code points): an emoji of one code point counts as one. " +
        "Text is trimmed, and control characters in it are refused.",
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: env.siteName, url: urls.docs },
    },
    servers: [{ url: urls.base }],
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      examples: Object.fromEntries(
        [...new Set(operations.flatMap(errorsOf))]
          .map((code) => [code, {
            value: toEnvelope(new DomainError(code, ERROR_DETAILS[code]), urls),
          }]),
      ),
      headers: LIMIT_HEADERS,
      responses: {
        Error: {
          description: "Any other error",
          content: { "application/json": { schema: ErrorBody } },
        },
        NotModified: {
          description: "Not modified: your ETag is still current",
          headers: ETAG,
        },
        ...Object.fromEntries(
          operations.flatMap(failuresOf).map((
            failure,
          ) => [nameOf(failure), describeFailure(failure)]),
        ),
      },
      securitySchemes: {
        editKey: {
          type: "apiKey",
          in: "header",
          name: "X-Edit-Key",
          description: "The edit key you got when you submitted. Starts with pik_",
        },
        bearer: { type: "http", scheme: "bearer", description: "The edit key as a bearer token" },
      },
    },
  }, { override: ({ jsonSchema }) => leaveOutNoise(jsonSchema) });
  const described = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item));
  for (const { parameters = [] } of described as { parameters?: oas31.ParameterObject[] }[]) {
    // zod-openapi repeats it.
    for (const { description, schema } of parameters) {
      if (schema?.description === description) delete schema?.description;
    }
  }
  return document;
}

/**
 * Removes redundant parts of zod's output: the pattern of a named format, the bounds of every whole
 * number, and the type next to a constant that isn't a string: from that pair, several client
 * generators make an enum that rejects every response or doesn't compile.
 */
function leaveOutNoise(schema: { [keyword: string]: unknown }): void {
  if (schema.const !== undefined && typeof schema.const !== "string") delete schema.type;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // A query input with a default keeps its bound, which is a rule.
  const isTaken = schema.default !== undefined;
  if (schema.maximum === Number.MAX_SAFE_INTEGER && !isTaken) delete schema.maximum;
}

/** True if an operation's responses have an ETag, so it reads If-None-Match. */
function isKept({ method, unkept }: Operation): boolean {
  return method === "GET" && !unkept;
}

function describe(
  operation: Operation,
  all: readonly Operation[],
): ZodOpenApiOperationObject {
  const { query, body, params = {} } = operation;
  const path = Object.fromEntries(
    Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name]) => {
      const what = params[name!];
      return [name, what ? z.string().describe(what) : z.string()];
    }),
  );
  const headers = {
    ...(operation.agentName ? { "X-Agent-Name": AgentName } : {}),
    ...(operation.idempotencyKey ? { "Idempotency-Key": IdempotencyKey } : {}),
    ...(isKept(operation) ? { "If-None-Match": IfNoneMatch } : {}),
  };
  const responses = Object.entries(operation.responses).map(([status, response]) => [status, {
    ...success(response, status === "200" && isKept(operation)),
    links: response.createdSlug && linksOf(operation, response.createdSlug, all),
  }]);
  const failures = failuresOf(operation)
    .map((failure) => [failure.status, sharedResponse(nameOf(failure))]);
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: operation.editKey ? [{ editKey: [] }, { bearer: [] }] : undefined,
    requestParams: {
      path: z.object(path),
      query: query ?? z.object({}),
      header: z.object(headers),
    },
    requestBody: body && {
      required: !body.isOptional,
      content: { "application/json": { schema: body.schema, example: body.example } },
    },
    responses: {
      ...Object.fromEntries(responses),
      ...(isKept(operation) ? { 304: sharedResponse("NotModified") } : {}),
      ...Object.fromEntries(failures),
      default: sharedResponse("Error"),
    },
  };
}

/** An operation's error codes: those that follow from its method, path and input, then its own. */
function errorsOf(operation: Operation): ErrorCode[] {
  const { method, path, query, body, editKey, responses, errors = [] } = operation;
  const isWrite = method !== "GET";
  const rules: [applies: boolean, code: ErrorCode][] = [
    [body !== undefined, "invalid_json"],
    [isWrite || query !== undefined, "invalid_input"],
    [editKey === true, "bad_edit_key"],
    [isWrite, "forbidden_origin"],
    [path.includes("{") && responses[404] === undefined, "not_found"],
    [isWrite, "payload_too_large"],
    [body !== undefined, "unsupported_media_type"],
  ];
  const derived = rules.flatMap(([applies, code]) => applies ? [code] : []);
  return [...derived, ...errors, "storage_unavailable"];
}

function success(response: OperationResponse, hasEtag: boolean) {
  const { description, schema, example, headers = {} } = response;
  const types = [response.type ?? (schema ? "application/json" : [])].flat();
  const content = types.map((type) => {
    const media = type.split(";")[0]!;
    return [media, media.endsWith("json") && schema ? { schema, example } : { schema: z.string() }];
  });
  const named = {
    ...Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [
        name,
        { description, schema: { type: "string" } },
      ]),
    ),
    ...(hasEtag ? ETAG : {}),
  };
  return {
    description,
    headers: Object.keys(named).length > 0 ? named : undefined,
    content: Object.fromEntries(content),
  };
}

/** Links from a created record to the operations on it (OpenAPI, Link Object). */
function linksOf({ path }: Operation, slug: string, all: readonly Operation[]) {
  const own = all.filter((other) => other.path.startsWith(`${path}/{slug}`));
  return Object.fromEntries(own.map(({ operationId }) => [
    operationId,
    { operationId, parameters: { slug: `$response.body#/${slug}` } },
  ]));
}

/**
 * An error in an operation's description. For errors common to all operations, the example says the
 * rest.
 */
function inWords(code: ErrorCode): string {
  return code === "storage_unavailable" ? `\`${code}\`` : `\`${code}\`: ${ERRORS[code].message}`;
}

/** The error codes that an operation responds with under one status. */
interface Failure {
  status: number;
  codes: ErrorCode[];
}

/** An operation's failures. */
function failuresOf(operation: Operation): Failure[] {
  const byStatus = Map.groupBy(new Set(errorsOf(operation)), (code) => ERRORS[code].status);
  return [...byStatus].map(([status, codes]) => ({ status, codes }));
}

/** The name under which operations with the same failure share its description. */
function nameOf({ codes }: Failure): string {
  return codes.join(".");
}

function sharedResponse(name: string) {
  return { $ref: `#/components/responses/${name}` } as const;
}

function describeFailure({ status, codes }: Failure) {
  const { "Retry-After": retryAfter } = LIMITED;
  const isRetried = codes.some((code) => RETRIED.includes(code));
  return {
    description: codes.map(inWords).join(". "),
    headers: status === 429 ? LIMITED : isRetried ? { "Retry-After": retryAfter! } : undefined,
    content: {
      "application/json": {
        schema: ErrorBody,
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}
