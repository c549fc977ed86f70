/** Where `lib/fresh` differs from Fresh 2.3, or where Fresh leaves the behavior open. */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { App } from "fresh";
import { Builder } from "fresh/dev";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { h } from "preact";
import { BuildCache } from "@/lib/fresh/build_cache.ts";
import { encodeIslands } from "@/lib/fresh/island_props.ts";
import { pathToPattern } from "@/lib/fresh/router.ts";
import { inFolder } from "../support/folder.ts";
import { get, handler, root } from "./site.ts";

Deno.test("a malformed escape in a parameter is kept as is", async () => {
  assertStringIncludes(await (await get("/blog/%E0%A4%A")).text(), "Post %E0%A4%A");
});

Deno.test("a file route responds with 405 and Allow to unsupported methods", async () => {
  const options = await get("/blog/new", { method: "OPTIONS" });
  assertEquals([options.status, options.headers.get("Allow")], [204, "GET, HEAD, OPTIONS"]);
  assertEquals((await get("/blog/new", { method: "DELETE" })).status, 405);
  const refused = await get("/api/echo", { method: "PUT" });
  assertEquals([refused.status, refused.headers.get("Allow")], [405, "GET, POST, HEAD, OPTIONS"]);
});

Deno.test("links to a fragment or another query of the current page aren't marked", async () => {
  const html = await (await get("/marks?q=2")).text();
  assertEquals(html.match(/<a [^>]*aria-current[^>]*>\w+/g), [
    '<a href="/marks" aria-current="page">self',
  ]);
});

Deno.test("ctx.redirect treats backslashes and line breaks as browsers do", async () => {
  for (
    const target of ["/\\evil.example", "\\\\evil.example", "/\t/evil.example", "/\n\\evil.example"]
  ) {
    const response = await get(`/redirect?to=${encodeURIComponent(target)}`);
    assertEquals(response.headers.get("Location"), "/evil.example", JSON.stringify(target));
  }
});

Deno.test("a request with an unparsable URL gets a 400 through the root middleware", async () => {
  const app = new App().use(async (ctx) => {
    try {
      return await ctx.next();
    } catch (error) {
      return Response.json({ status: (error as { status: number }).status });
    }
  }).handler();
  const request = new Request("http://localhost/");
  Object.defineProperty(request, "url", { value: `http://a b"<>/` });
  assertEquals(await (await app(request)).json(), { status: 400 });
});

Deno.test("a raw path from a socket is normalized like a parsed URL", async () => {
  for (
    const [path, text] of [
      ["/blog/x.md", "# x"],
      ["/out/../blog/x.md", "# x"],
      ["//blog//x.md", "# x"],
      ["/blog/x.md?a=/../b", "# x"],
      ["/blog/a/%2e%2E/x.md", "# x"],
    ] as const
  ) {
    // `Request` would normalize it, but a server passes it on unchanged.
    const request = new Request("http://localhost/");
    Object.defineProperty(request, "url", { value: `http://localhost${path}` });
    assertEquals(await (await handler(request)).text(), text, path);
  }
});

Deno.test("a page with islands is deterministic and has no inline script", async () => {
  const html = await (await get("/counter")).text();
  assertEquals(await (await get("/counter")).text(), html);
  const state = JSON.parse(/<script id="frsh-state"[^>]*>(.*?)<\/script>/.exec(html)![1]!);
  assertEquals(state.islands.length, 3);
  assertEquals(state.islands[0].props, { label: "first </script>", start: 3 });
  for (const { island } of state.islands) {
    const script = await get(`/_fresh/js/${state.buildId}/${island}.js`);
    assertStringIncludes(script.headers.get("Cache-Control")!, "immutable");
    assert((await script.text()).length > 50);
  }
});

Deno.test("concurrent builds all finish, with the same scripts", async () => {
  const outDirs = await Promise.all([1, 2, 3].map(() => Deno.makeTempDir()));
  await Promise.all(outDirs.map((outDir) => new Builder({ root, outDir }).build()));
  const scripts = outDirs.map((dir) => [...Deno.readDirSync(`${dir}/static/_fresh/js`)][0]!.name);
  assertEquals(new Set(scripts).size, 1);
  for (const dir of outDirs) await Deno.remove(dir, { recursive: true });
});

Deno.test("a built server needs no other modules, and its JSX is precompiled", async () => {
  const outDir = await Deno.makeTempDir();
  await new Builder({ root, outDir }).build();
  await Deno.remove(`${outDir}/snapshot.js`);
  const { default: { fetch } } = await import(pathToFileURL(`${outDir}/server.js`).href);
  const page = await fetch(new Request("http://localhost/counter"));
  assertEquals(await page.text(), await (await get("/counter")).text());
  const server = await Deno.readTextFile(`${outDir}/server.js`);
  assertStringIncludes(server, '<p class="kept">kept</p>');
  await Deno.remove(outDir, { recursive: true });
});

Deno.test("a script added to Head by several components is rendered once", async () => {
  const html = await (await get("/marks")).text();
  assertEquals(html.match(/<script/g)!.length, 1);
});

Deno.test("static files are compressed, and return 304 for their ETag", async () => {
  const response = await get("/mark.svg", { headers: { "Accept-Encoding": "gzip, br" } });
  assertEquals(response.headers.get("Content-Encoding"), "br");
  assertStringIncludes(response.headers.get("Vary")!, "Accept-Encoding");
  const unkeyed = response.headers.get("Cache-Control");
  assertEquals(unkeyed, "no-cache, no-store, max-age=0, must-revalidate");
  const etag = response.headers.get("ETag")!;
  for (const known of [`"x", ${etag}`, "*"]) {
    const again = await get("/mark.svg", { headers: { "If-None-Match": known } });
    assertEquals([again.status, await again.text()], [304, ""]);
    assertEquals(again.headers.get("ETag"), etag);
    assertEquals(again.headers.get("Cache-Control"), unkeyed);
    assertEquals(again.headers.get("Vary"), "If-None-Match, Accept-Encoding");
  }
  for (const path of ["/a%20b,c.css", "/a%20b%2Cc.css"]) {
    assertEquals((await get(path)).status, 200);
  }
});

Deno.test("static files never use an encoding that the client refuses or doesn't list", async () => {
  const mark = await (await get("/mark.svg")).text();
  for (
    const [accepted, expected] of [
      ["br;q=0, gzip", "gzip"],
      ["br; q=0.000, gzip;q=0", null],
      ["BR;q=0.5", "br"],
      ["x-brotli", null],
    ] as const
  ) {
    const response = await get("/mark.svg", { headers: { "Accept-Encoding": accepted } });
    const bytes = await response.bytes();
    assertEquals(response.headers.get("Content-Encoding"), expected, accepted);
    assertEquals(response.headers.get("Content-Length"), String(bytes.byteLength));
    const plain = expected === "br"
      ? brotliDecompressSync(bytes)
      : expected === "gzip"
      ? gunzipSync(bytes)
      : bytes;
    assertEquals(new TextDecoder().decode(plain), mark, accepted);
  }
});

Deno.test("a server keeps serving the files it started with after a later build", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.js`, "first");
    await Deno.writeTextFile(`${folder}/b.js`, "old");
    const entry = { hash: "0", contentType: "text/javascript" };
    const staticFiles = new Map([["/a.js", entry], ["/b.js", entry]]);
    const cache = new BuildCache(
      { version: "dev", isDev: false, fsItems: [], islands: [], staticFiles },
      (path) => Deno.readFileSync(folder + path),
    );
    await Deno.writeTextFile(`${folder}/a.js`, "second");
    await Deno.remove(`${folder}/b.js`);
    const said = (path: string) => new TextDecoder().decode(cache.fileAt(path)!.bytes);
    assertEquals([said("/a.js"), said("/b.js"), cache.fileAt("/c.js")], ["first", "old", null]);
  }));

Deno.test("island props survive serialization", () => {
  const props = { text: "</script><!--", list: [{ deep: null }, [true, 1.5]], none: undefined };
  const json = encodeIslands({ buildId: "x", islands: [{ island: "I", props }] });
  assertEquals(json.includes("<"), false);
  const { none: _, ...sent } = props;
  assertEquals(JSON.parse(json).islands[0].props, sent);
});

Deno.test("island props that JSON can't represent are rejected", () => {
  const refused = [() => {}, 1n, NaN, Symbol("s"), new Date(0), new Map(), h("b", null)];
  for (const value of refused) {
    const islands = [{ island: "I", props: { value } }];
    assertThrows(
      () => encodeIslands({ buildId: "", islands }),
      TypeError,
      "to an island",
    );
  }
});

Deno.test("pathToPattern converts file names as Fresh documents", () => {
  const rows: [path: string, pattern: string][] = [
    ["/index", "/"],
    ["/blog/index", "/blog"],
    ["/blog/[id]", "/blog/:id"],
    ["/[user]@[host]", "/:user@:host"],
    ["/blog/[id].md", "/blog/:id.md"],
    ["/(group)/inside", "/inside"],
    ["/(group)/index", "/"],
  ];
  for (const [path, pattern] of rows) assertEquals(pathToPattern(path), pattern);
  for (const path of ["/[a][b]", "/x[[a]]", "/[a", "/[...a]"]) {
    assertThrows(() => pathToPattern(path), SyntaxError);
  }
});
