import { hash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { isBeyondLatin } from "../text/escape.ts";
import type { Urls } from "../urls.ts";

/** Content types as they are sent. */
export const TYPES = {
  json: "application/json; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
  text: "text/plain; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  rss: "application/rss+xml; charset=utf-8",
  xml: "application/xml; charset=utf-8",
  feed: "application/feed+json; charset=utf-8",
  linkset: "application/linkset+json",
  manifest: "application/manifest+json",
  serverCard: "application/mcp-server-card+json",
} as const;

/** Sends JSON that no cache may keep: answers to writes and all that depend on the caller. */
export function json(
  body: unknown,
  options: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status: options.status ?? 200,
    headers: {
      "Content-Type": TYPES.json,
      "Cache-Control": "private, no-store",
      ...options.headers,
    },
  });
}

/** UTF-8. */
type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A public representation: its body, type and strong ETag, built once and sent many times. Text
 * beyond Latin-1 is stored as UTF-8: for 40 KB, Deno takes 50 us longer to send the string than its
 * bytes. Other strings are faster than bytes.
 */
export interface Entity {
  body: string | Bytes;
  type: string;
  /** Quoted, as in the header. */
  etag: string;
  /** The compressed body, once a client has requested it. */
  gzip?: Bytes;
  br?: Bytes;
}

/** Creates the entity of some text. */
export function entity(text: string, type: string = TYPES.json): Entity {
  const body = isBeyondLatin(text) ? encoder.encode(text) : text;
  return { body, type, etag: etagOf(text) };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The text of an entity. */
export function entityText({ body }: Entity): string {
  return typeof body === "string" ? body : decoder.decode(body);
}

/** The strong ETag of some text. */
export function etagOf(text: string): string {
  return `"${hash("sha1", text, "base64url")}"`;
}

/** How a public answer (a 200) is cached and found. */
export interface CacheOptions {
  headers?: Record<string, string>;
  /** How long caches may keep it, in seconds; 15 by default. */
  maxAge?: number;
  /** Whether the URL also serves Markdown, by `Accept`. */
  negotiated?: boolean;
  /** The `Link` header. */
  link?: string;
}

/**
 * Sends a public entity: strong ETag, 304 if the client has it, `Cache-Control`, and CORS for
 * everyone.
 */
export function cached(
  ctx: { req: Request },
  content: Entity,
  options: CacheOptions = {},
): Response {
  const maxAge = options.maxAge ?? 15;
  const headers = {
    "Cache-Control": `public, max-age=${maxAge}, stale-while-revalidate=60`,
    "Vary": options.negotiated ? "Accept, Accept-Encoding" : "Accept-Encoding",
    "Access-Control-Allow-Origin": "*",
    ...options.headers,
  };
  return conditional(ctx, content, { ...options, headers, others: PUBLIC_READ_HEADERS });
}

/** Sends JSON like `cached`. */
export function cachedJson(
  ctx: { req: Request },
  body: unknown,
  { type, ...options }: CacheOptions & { type?: string } = {},
): Response {
  return cached(ctx, entity(JSON.stringify(body), type), options);
}

/**
 * Sends an entity that pages on other sites cannot read. Clients must revalidate it, or may not
 * store it at all if it shows the caller's own data (`isOwn`).
 */
export function privately(
  ctx: { req: Request },
  content: Entity,
  { isOwn, ...options }: Pick<CacheOptions, "headers" | "link"> & { isOwn: boolean },
): Response {
  const caching = isOwn ? "private, no-store" : "private, no-cache";
  const headers = { ...options.headers, "Cache-Control": caching };
  return conditional(ctx, content, { ...options, headers, others: {} });
}

/** Sends an entity with its ETag, or a 304. A 304 leaves out the headers in `others`. */
function conditional(
  ctx: { req: Request },
  content: Entity,
  options: {
    headers: Record<string, string>;
    others: Record<string, string>;
    link?: string;
  },
): Response {
  const { link, others } = options;
  const coding = codingOf(ctx.req, content);
  // Each representation has its own strong ETag (RFC 9110, section 8.8.3.3).
  const etag = coding ? `${content.etag.slice(0, -1)}-${CODINGS[coding].mark}"` : content.etag;
  const forCaches = { "ETag": etag, ...options.headers };
  const unchanged = notModified(ctx.req, forCaches);
  if (unchanged !== null) return unchanged;
  const headers: Record<string, string> = {
    ...others,
    ...forCaches,
    "Content-Type": content.type,
    ...(link !== undefined && { "Link": link }),
  };
  if (coding === null) return new Response(content.body, { headers });
  headers["Content-Encoding"] = coding;
  content[coding] ??= new Uint8Array(CODINGS[coding].compress(content.body));
  return new Response(content[coding], { headers });
}

/**
 * A 304 with these headers if the client already has the `ETag` among them, otherwise null. It also
 * has the other headers of the 200 (RFC 9110, section 15.4.5).
 */
export function notModified(
  req: Request,
  headers: Record<string, string> & { "ETag": string },
): Response | null {
  const known = req.headers.get("if-none-match");
  if (known === null || !matchesEtag(known, headers.ETag)) return null;
  return new Response(null, { status: 304, headers });
}

type Coding = "br" | "gzip";

/**
 * How bodies are compressed, and each coding's mark in an ETag. (Not `-gzip`: Caddy treats that as
 * its own and strips it from client requests.) Gzip level 4 makes a list 2% larger than the default
 * level in half the time. Brotli takes three times as long, so only pages use it: they are built
 * once per change.
 */
const CODINGS: Record<Coding, { mark: string; compress(body: string | Bytes): Uint8Array }> = {
  br: {
    mark: "br",
    compress: (body) =>
      brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  },
  gzip: { mark: "gz", compress: (body) => gzipSync(body, { level: 4 }) },
};

/** The shortest body worth compressing. */
const COMPRESSIBLE = 64;

/** A coding in a list of names, without a weight of 0 (RFC 9110, section 12.5.1). */
const taken = (name: Coding) =>
  new RegExp(`(?:^|[,\\s])${name}(?=$|[,;\\s])(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, "i");
const TAKES = { br: taken("br"), gzip: taken("gzip") };

/** The coding to use for a client; null for none. */
function codingOf(req: Request, { body, type }: Entity): Coding | null {
  const accepted = req.headers.get("accept-encoding");
  if (body.length < COMPRESSIBLE || accepted === null) return null;
  if (type.startsWith("text/html") && TAKES.br.test(accepted)) return "br";
  return TAKES.gzip.test(accepted) ? "gzip" : null;
}

/** The headers of every public read: pages on any site may read it and these headers. */
export const PUBLIC_READ_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id",
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const;

/** Whether an `If-None-Match` header names an ETag (weak comparison, RFC 9110 section 13.1.2). */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === "*") return true;
  return header.split(",").some((part) => part.trim().replace(/^W\//, "") === etag);
}

/**
 * Whether a client wants Markdown: it names text/markdown and ranks it at least as high as
 * `instead`, the alternative (RFC 9110, section 12.5.1: types ignore case, and the most specific
 * range counts).
 */
export function wantsMarkdown(req: Request, instead: "text/html" | "application/json"): boolean {
  const accept = req.headers.get("accept")?.toLowerCase();
  if (!accept?.includes("text/markdown")) return false;
  const ranges = new Map(
    accept.split(",").map((part) => {
      const [type = "", ...parameters] = part.split(";").map((s) => s.trim());
      return [type, Number(parameters.find((p) => p.startsWith("q="))?.slice(2) ?? 1)];
    }),
  );
  const markdown = ranges.get("text/markdown") ?? 0;
  const other = ranges.get(instead) ?? ranges.get(instead.replace(/\/.*/, "/*")) ??
    ranges.get("*/*") ?? 0;
  // Programs parse API responses, so a client that ranks both types equally gets JSON.
  const namesJson = instead === "application/json" && ranges.has(instead);
  return markdown > 0 && (namesJson ? markdown > other : markdown >= other);
}

/** Redirects to a path on this site (303 after a form). */
export function seeOther(urls: Urls, path: string): Response {
  return new Response(null, {
    status: 303,
    headers: { Location: urls.to(path), "Cache-Control": "no-store" },
  });
}

/**
 * The path that a form returns to, if it is a path on this site and percent-encoded, as headers
 * require; else `fallback`.
 */
export function localPath(path: string | undefined, fallback: string): string {
  return path !== undefined && /^\/(?!\/)[!-[\]-~]*$/.test(path) ? path : fallback;
}
