import type { TestRequest } from "../support/app.ts";
import {
  type JsonSchema,
  pick,
  type Random,
  randomJson,
  resolve,
  valueOf,
  wholeNumber,
} from "./from_schema.ts";
import { AWKWARD_BODIES, AWKWARD_HEADERS, AWKWARD_STRINGS, hostileStrings } from "./hostile.ts";

/** How a generated request relates to the document: valid, or invalid in one way. */
type RequestKind =
  | "valid"
  | "one_field_broken"
  | "hostile_field"
  | "random_json"
  | "raw_bytes"
  | "wrong_headers"
  | "hostile_path"
  | "form"
  | "page";

/** A generated request and its intent. */
export interface GeneratedRequest {
  kind: RequestKind;
  /** Of the document; null for pages. */
  operationId: string | null;
  path: string;
  init: TestRequest & { method: string };
}

interface Parameter {
  in: "query" | "path" | "header";
  name: string;
  required?: boolean;
  schema: JsonSchema;
}

interface DocumentOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

/** Existing items that a request may name. */
export interface Known {
  slugs: string[];
  keys: string[];
  /** Route files of pages and other URLs outside the document, as `/p/{slug}`. */
  pages: string[];
}

const HOSTILE = [...Object.values(hostileStrings("zq7")).flat(), ...AWKWARD_STRINGS];
const KINDS: RequestKind[] = [
  ...Array<RequestKind>(4).fill("valid"),
  ...Array<RequestKind>(3).fill("one_field_broken"),
  ...Array<RequestKind>(3).fill("hostile_field"),
  "random_json",
  "raw_bytes",
  "wrong_headers",
  "hostile_path",
  "form",
  "page",
];

/** Generates endless requests from a live OpenAPI document, using a random source. */
export function requestGenerator(
  document: { paths: Record<string, Record<string, DocumentOperation>> },
  known: Known,
  random: Random,
): () => GeneratedRequest {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    }))
  );
  const value = (schema: JsonSchema) => valueOf(schema, document, random);

  return () => {
    const kind = pick(random, KINDS);
    if (kind === "page" || kind === "form") return page(kind);
    const { path, method, operation } = pick(random, operations);
    const parameters = operation.parameters ?? [];
    const headers: Record<string, string> = agentHeaders(parameters);
    if (method === "PATCH" || path.includes("billing")) {
      headers["x-edit-key"] = pick(random, [...known.keys, "pik_wrong", "", "x".repeat(5000)]);
    }
    const query = new URLSearchParams();
    for (const { in: place, name, required, schema } of parameters) {
      if (place !== "query" || (!required && random() < 0.5)) continue;
      query.append(name, String(value(schema)));
    }
    let body: BodyInit | undefined;
    const schema = operation.requestBody?.content["application/json"]?.schema;
    if (schema !== undefined) {
      headers["content-type"] = "application/json";
      body = bodyOf(kind, schema);
    } else if (method !== "GET" && kind === "raw_bytes") {
      body = bytes(wholeNumber(random, 0, 3000));
    }
    if (kind !== "valid" && schema === undefined) breakQuery(query, parameters);
    if (kind === "wrong_headers") breakHeaders(headers);
    const slug = () => kind === "hostile_path" ? hostilePart() : pick(random, known.slugs);
    const suffix = query.size > 0 ? `?${query}` : "";
    return {
      kind,
      operationId: operation.operationId,
      path: path.replaceAll(/\{\w+\}/g, slug) + suffix,
      init: { method: methodOf(kind, method), headers, body: bodyAllowed(method, body), ...who() },
    };
  };

  function bodyOf(kind: RequestKind, schema: JsonSchema): BodyInit {
    if (kind === "raw_bytes") return bytes(wholeNumber(random, 0, 3000));
    if (kind === "random_json") {
      return random() < 0.3 ? pick(random, AWKWARD_BODIES) : JSON.stringify(randomJson(random));
    }
    const body = value(schema) as Record<string, unknown>;
    if (typeof body !== "object" || body === null) return JSON.stringify(body);
    if ("slug" in body && random() < 0.8) body.slug = pick(random, known.slugs);
    const flat = schema.$ref ? resolve(schema.$ref, document) : schema;
    const fields = [...Object.keys(flat.properties ?? {}), "slug", "votes", "__proto__"];
    const field = pick(random, fields);
    if (kind === "one_field_broken") setField(body, field, randomJson(random));
    if (kind === "hostile_field") {
      const text = pick(random, HOSTILE);
      const isList = Array.isArray(body[field]);
      const isObject = typeof body[field] === "object" && body[field] !== null && !isList;
      if (isObject) {
        const inner = body[field] as Record<string, unknown>;
        inner[pick(random, Object.keys(inner).concat("x"))] = text;
      } else setField(body, field, isList ? [text] : text);
    }
    const json = JSON.stringify(body);
    return random() < 0.02 ? json.slice(0, -1) + `,"${field}":1}` : json;
  }

  function page(kind: "page" | "form"): GeneratedRequest {
    const path = pick(random, known.pages).replaceAll(
      /\{\w+\}/g,
      () => random() < 0.2 ? hostilePart() : pick(random, known.slugs),
    );
    const accept = pick(random, ["text/html", "text/markdown", "*/*", "application/json", "x"]);
    const query = new URLSearchParams();
    while (random() < 0.5) {
      const name = pick(random, ["q", "sort", "offset", "limit", "category", "theme", "listing"]);
      query.append(name, random() < 0.5 ? pick(random, HOSTILE) : pick(random, known.slugs));
    }
    const headers: Record<string, string> = { accept };
    const suffix = query.size > 0 ? `?${query}` : "";
    if (kind === "page") {
      const method = pick(random, ["GET", "GET", "GET", "HEAD", "OPTIONS", "PUT"]);
      return { kind, operationId: null, path: path + suffix, init: { method, headers, ...who() } };
    }
    const fields = [
      "name",
      "url",
      "tagline",
      "tags",
      "editKey",
      "content",
      "title",
      "kind",
      "voted",
    ];
    const form = Array.from({ length: wholeNumber(random, 0, 8) }, (): [string, string] => [
      pick(random, fields),
      pick(random, [...HOSTILE, ...known.keys, "1", "skill-md", "https://example.com/"]),
    ]);
    headers["content-type"] = pick(random, [
      ...Array(4).fill("application/x-www-form-urlencoded"),
      "multipart/form-data; boundary=x",
      "text/plain",
    ]);
    const body = random() < 0.1 ? bytes(500) : new URLSearchParams(form).toString();
    return { kind, operationId: null, path, init: { method: "POST", headers, body, ...who() } };
  }

  function breakQuery(query: URLSearchParams, parameters: Parameter[]): void {
    const names = parameters.filter((p) => p.in === "query").map((p) => p.name).concat("x");
    query.append(pick(random, names), random() < 0.5 ? pick(random, HOSTILE) : "-1");
  }

  function breakHeaders(headers: Record<string, string>): void {
    for (let n = wholeNumber(random, 1, 3); n > 0; n--) {
      const [name, value] = pick(random, AWKWARD_HEADERS);
      headers[name] = value;
    }
  }

  function agentHeaders(parameters: Parameter[]): Record<string, string> {
    const header = parameters.find((p) => p.in === "header");
    if (header === undefined || random() < 0.5) return {};
    return { [header.name]: `Agent ${wholeNumber(random, 0, 50)}` };
  }

  function hostilePart(): string {
    const text = pick(random, HOSTILE);
    // Some unencoded: a URL parser accepts most bytes on a wire.
    return random() < 0.5 ? encodeURIComponent(text.toWellFormed()) : text.slice(0, 300);
  }

  function methodOf(kind: RequestKind, method: string): string {
    if (kind !== "wrong_headers" || random() < 0.7) return method;
    return pick(
      random,
      method === "GET" ? ["HEAD", "OPTIONS"] : ["PUT", "DELETE", "POST", "PATCH"],
    );
  }

  function who(): { address: string; userAgent: string } {
    const n = wholeNumber(random, 0, 3000);
    const address = n % 7 === 0
      ? `2001:db8:${(n * 7).toString(16)}::${n.toString(16)}`
      : `198.18.${n >> 8}.${n & 255}`;
    return {
      address,
      userAgent: pick(random, ["curl/8.5.0", "Mozilla/5.0 Firefox/140", "ClaudeBot/1.0"]),
    };
  }

  function bytes(length: number): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length }, () => wholeNumber(random, 0, 255));
  }
}

function bodyAllowed(method: string, body: BodyInit | undefined): BodyInit | undefined {
  return method === "GET" ? undefined : body;
}

/** Sets a field even if it is `__proto__`. */
function setField(body: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(body, name, { value, enumerable: true, configurable: true });
}

/** The paths of every route file outside the API, as `/p/{slug}`, under `prefix`. */
export async function pagePaths(folder: URL, prefix: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (name.startsWith("_") || name === "api") continue;
    const part = name.replaceAll(/\[(\w+)\]/g, "{$1}").replace(/\.tsx?$/, "");
    if (isDirectory) {
      const inner = part.startsWith("(") ? prefix : `${prefix}/${part}`;
      paths.push(...await pagePaths(new URL(`${name}/`, folder), inner));
    } else paths.push(part === "index" ? prefix || "/" : `${prefix}/${part}`);
  }
  return paths.sort();
}
