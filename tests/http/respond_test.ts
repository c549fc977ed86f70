import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { brotliDecompressSync } from "node:zlib";
import {
  cached,
  type CacheOptions,
  type Entity,
  entity,
  entityText,
  json,
  localPath,
  matchesEtag,
  privately,
  seeOther,
  wantsMarkdown,
} from "@/lib/http/respond.ts";
import { createUrls } from "@/lib/urls.ts";
import { testApp } from "../support/app.ts";

const asked = (headers: Record<string, string> = {}) => ({
  req: new Request("http://x.test/", { headers }),
});
const shown = ({ status, headers }: Response, ...names: string[]) => [
  status,
  ...names.map((name) => headers.get(name)),
];

Deno.test("cached sets Cache-Control, Vary and CORS headers", () => {
  const answer = (options?: CacheOptions) =>
    shown(cached(asked(), entity("{}"), options), "cache-control", "vary", "link", "x-own");
  assertEquals(answer(), [
    200,
    "public, max-age=15, stale-while-revalidate=60",
    "Accept-Encoding",
    null,
    null,
  ]);
  const options = { maxAge: 0, negotiated: true, link: "<x>", headers: { "X-Own": "1" } };
  assertEquals(answer(options), [
    200,
    "public, max-age=0, stale-while-revalidate=60",
    "Accept, Accept-Encoding",
    "<x>",
    "1",
  ]);
  const open = ["access-control-allow-origin", "access-control-expose-headers"];
  assertEquals(shown(cached(asked(), entity("{}")), ...open, "cross-origin-resource-policy"), [
    200,
    "*",
    "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id",
    "cross-origin",
  ]);
});

Deno.test("cached returns 304 with the headers that caches need", () => {
  const content = entity("{}");
  const ctx = asked({ "if-none-match": content.etag });
  assertEquals(
    shown(cached(ctx, content), "cache-control", "vary", "access-control-allow-origin"),
    [304, "public, max-age=15, stale-while-revalidate=60", "Accept-Encoding", "*"],
  );
});

Deno.test("the caller's own data and json forbid caching, and json sets the status", () => {
  const gzip = asked({ "accept-encoding": "gzip" });
  const options = {
    headers: { "X-Own": "1", "Cache-Control": "public" },
    link: "<x>",
    isOwn: true,
  };
  const names = ["cache-control", "x-own", "link", "content-encoding", "content-type"];
  const type = "application/json; charset=utf-8";
  assertEquals(shown(privately(gzip, entity(" ".repeat(64)), options), ...names), [
    200,
    "private, no-store",
    "1",
    "<x>",
    "gzip",
    type,
  ]);
  assertEquals(shown(json({}), "cache-control", "content-type"), [
    200,
    "private, no-store",
    type,
  ]);
  const created = json({}, { status: 201, headers: { "X-Own": "1" } });
  assertEquals(shown(created, "x-own"), [201, "1"]);
});

Deno.test("responses of at least 64 characters are gzipped once, with their own ETag", async () => {
  const content = entity("é".repeat(64));
  const answer = (content: Entity) => cached(asked({ "accept-encoding": "gzip" }), content);
  assertEquals(answer(entity("x".repeat(63))).headers.get("content-encoding"), null);
  const packed = answer(content);
  assertEquals(packed.headers.get("etag"), content.etag.replace(/"$/, '-gz"'));
  const unpacked = packed.body!.pipeThrough(new DecompressionStream("gzip"));
  assertEquals(await new Response(unpacked).text(), content.body);
  content.gzip = Uint8Array.of(1, 2);
  assertEquals(await answer(content).bytes(), Uint8Array.of(1, 2));
});

Deno.test("pages are compressed with Brotli if accepted, once, with their own ETag", async () => {
  const page = entity("<p>".repeat(100), "text/html; charset=utf-8");
  const answer = (accepted: string, content = page) =>
    cached(asked({ "accept-encoding": accepted }), content);
  const packed = answer("gzip, deflate, br, zstd");
  assertEquals(packed.headers.get("content-encoding"), "br");
  assertEquals(packed.headers.get("etag"), page.etag.replace(/"$/, '-br"'));
  assertEquals(brotliDecompressSync(await packed.bytes()).toString(), page.body);
  const { br } = page;
  answer("br");
  assertEquals(page.br === br && br !== undefined, true);
  for (const accepted of ["gzip", "gzip, br;q=0", "gzip, xbr", "gzip, br;q=0.0"]) {
    assertEquals(answer(accepted).headers.get("content-encoding"), "gzip", accepted);
  }
  const json = entity(JSON.stringify("x".repeat(100)));
  assertEquals(answer("br, gzip", json).headers.get("content-encoding"), "gzip");
});

Deno.test("entity encodes text beyond Latin-1 as bytes, and entityText decodes both", () => {
  const bodies = ["é", "日本"].map((text) => {
    assertEquals(entityText(entity(text)), text);
    return entity(text).body;
  });
  assertEquals(bodies, ["é", new TextEncoder().encode("日本")]);
});

Deno.test("seeOther redirects to a path of the site, and isn't cached", () => {
  const answer = seeOther(createUrls("http://x.test"), "/a?b");
  assertEquals(shown(answer, "location", "cache-control"), [303, "http://x.test/a?b", "no-store"]);
});

Deno.test("localPath accepts only percent-encoded paths of this site", () => {
  for (const path of ["/", "/projects", "/projects?q=%E6%97%A5&sort=new#top", "/p/a-b"]) {
    assertEquals(localPath(path, "/theme"), path);
  }
  for (
    const path of [
      undefined,
      "",
      "projects",
      "//evil.example",
      "/\\evil.example",
      "/a\\b",
      "https://evil.example/",
      "javascript:alert(1)",
      "/projects?q=日本",
      "/projects?q=é",
      "/a b",
      "/a\r\nSet-Cookie: x",
    ]
  ) assertEquals(localPath(path, "/theme"), "/theme", path);
});

Deno.test("POST /theme redirects to the previous page, or home if that isn't a path of the site", async () => {
  await using app = await testApp();
  for (
    const [back, location] of [
      ["/projects?q=%E6%97%A5", "/projects?q=%E6%97%A5"],
      ["/projects?q=日本", "/"],
      ["//evil.example", "/"],
    ] as const
  ) {
    const { status, headers } = await app.request("/theme", { form: { theme: "amber", back } });
    assertEquals([status, headers.get("location")], [303, location]);
  }
});

Deno.test("compressed and plain responses have different ETags, and each gets a 304 only for its own", async () => {
  await using app = await testApp();
  const ask = async (coding: string, etag = "") => {
    const headers = { "accept-encoding": coding, "if-none-match": etag };
    const response = await app.request("/api/v1/meta", { headers });
    await response.body?.cancel();
    return [response.status, response.headers.get("etag")!] as const;
  };
  const [, plain] = await ask("identity");
  const [, zipped] = await ask("gzip");
  assertNotEquals(plain, zipped);
  // Caddy uses `-gzip` as its own suffix, and strips it from what clients send.
  assert(!zipped.endsWith('-gzip"'), zipped);
  assertEquals(await ask("identity", plain), [304, plain]);
  assertEquals(await ask("identity", zipped), [200, plain]);
  assertEquals(await ask("gzip", zipped), [304, zipped]);
  assertEquals(await ask("gzip", plain), [200, zipped]);
});

Deno.test("responses are gzipped for clients that accept it, in any case, unless its q is 0", async () => {
  await using app = await testApp();
  const codings: [string | null, string[]][] = [
    ["gzip", ["gzip", "GZIP", "br, gzip;q=0.5", "gzip;q=0.05, br", "gzip;q=1"]],
    [null, [
      "",
      "br",
      "xgzip",
      "gzipx",
      "gzip;q=0",
      "gzip ; q=0.000",
      "gzip;q=0 , br",
      "gzip;q=0.",
    ]],
  ];
  for (const [coding, headers] of codings) {
    for (const header of headers) {
      const response = await app.request("/api/v1/meta", {
        headers: { "accept-encoding": header },
      });
      await response.body?.cancel();
      assertEquals(response.headers.get("content-encoding"), coding, header);
    }
  }
});

Deno.test("matchesEtag compares weakly, in lists, and with *", () => {
  for (const header of ['"a"', 'W/"a"', '"b", W/"a"', "*", " * ", ' "a" ']) {
    assertEquals(matchesEtag(header, '"a"'), true, header);
  }
  for (const header of ['"b"', "a", "", '"a-gzip"']) {
    assertEquals(matchesEtag(header, '"a"'), false, header);
  }
});

Deno.test("wantsMarkdown is true only if Markdown is ranked at least as high as the alternative", () => {
  const wants = (accept?: string, instead: "text/html" | "application/json" = "text/html") =>
    wantsMarkdown(new Request("http://x.test/", { headers: accept ? { accept } : {} }), instead);
  for (
    const accept of [
      "text/markdown",
      "text/markdown, */*",
      "text/html, text/markdown",
      "text/html, text/markdown;q=1",
      "text/html;q=0.5, text/markdown",
      "Text/Markdown; charset=utf-8",
      "text/markdown;q=0.9, */*;q=0.8",
      "text/html;q=0.1, text/markdown;Q=0.2, */*",
      "application/json, text/markdown;q=0.5",
    ]
  ) assertEquals(wants(accept), true, accept);
  for (
    const accept of [
      undefined,
      "*/*",
      "text/*",
      "text/markdown;q=0",
      "text/html, text/markdown;q=0.9",
      "text/markdown;q=0.5, */*",
      "text/markdown;q=0.5, text/*;q=0.6",
      "text/markdown;q=high",
      "text/markdownish",
    ]
  ) assertEquals(wants(accept), false, String(accept));
  assertEquals(wants("application/json, text/markdown;q=0.5", "application/json"), false);
  assertEquals(wants("application/json, text/markdown", "application/json"), false);
  assertEquals(wants("text/markdown, */*", "application/json"), true);
  assertEquals(wants("text/html, text/markdown;q=0.5", "application/json"), true);
});
