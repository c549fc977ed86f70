import { unescape } from "node:querystring";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { StaticFile } from "./build_cache.ts";
import { HttpError } from "./error.ts";
import { ASSET_KEY } from "./shared.ts";
import type { Middleware } from "./types.ts";

/** Media types worth compressing. */
const COMPRESSIBLE = /^(text\/|application\/(json|javascript|xml|manifest\+json)|image\/svg\+xml)/;

/**
 * Serves files from `static/` and the islands' scripts. A URL from `asset()` is cached for a year;
 * one from another build serves the current file.
 */
export function staticFiles<State>(): Middleware<State> {
  return function serveStaticFile(ctx) {
    const { url, req, buildCache } = ctx;
    const path = url.pathname;
    // Doesn't throw on a malformed escape, which names no file.
    const file = buildCache.fileAt(unescape(path));
    if (file === null) return ctx.next();
    if (req.method !== "GET" && req.method !== "HEAD") {
      throw new HttpError(405, "Method Not Allowed", { cause: { allow: ["GET", "HEAD"] } });
    }
    const { version, isDev } = buildCache.snapshot;
    const key = url.searchParams.get(ASSET_KEY);
    if (key !== null && key !== version) {
      const target = new URL(url);
      target.searchParams.delete(ASSET_KEY);
      const location = target.pathname + target.search;
      return new Response(null, { status: 307, headers: { location } });
    }
    const isLocked = key !== null || path.startsWith(`/_fresh/js/${version}/`);
    return fileResponse(req, file, isLocked && !isDev);
  };
}

function fileResponse(req: Request, file: StaticFile, isImmutable: boolean): Response {
  const headers = new Headers({
    "Content-Type": file.contentType,
    "Cache-Control": isImmutable
      ? "public, max-age=31536000, immutable"
      : "no-cache, no-store, max-age=0, must-revalidate",
    "ETag": `W/"${file.hash}"`,
    "Vary": "If-None-Match",
  });
  const isCompressible = COMPRESSIBLE.test(file.contentType);
  if (isCompressible) headers.append("Vary", "Accept-Encoding");
  const known = req.headers.get("If-None-Match");
  if (known === "*" || known?.includes(`"${file.hash}"`)) {
    return new Response(null, { status: 304, headers });
  }
  let body = file.bytes;
  if (isCompressible) {
    const accepted = acceptedEncodings(req);
    const encoding = (["br", "gzip"] as const).find((name) => accepted.includes(name));
    if (encoding !== undefined) {
      const compress = encoding === "br" ? brotliCompressSync : gzipSync;
      body = file[encoding] ??= new Uint8Array(compress(file.bytes));
      headers.set("Content-Encoding", encoding);
    }
  }
  headers.set("Content-Length", String(body.byteLength));
  return new Response(body, { headers });
}

/** The encodings a client accepts, in lower case, without those with a weight of 0. */
function acceptedEncodings(req: Request): string[] {
  return (req.headers.get("Accept-Encoding") ?? "").toLowerCase().split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(";")[0]!.trim());
}
