// deno-lint-ignore-file no-console -- the framework logs what it answers 500 to
/** What `lib/fresh` does otherwise than Fresh 2.3, or where Fresh's form is its own affair. */
import { signal } from "@preact/signals";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { App, HttpError } from "fresh";
import { Builder } from "fresh/dev";
import { Head } from "fresh/runtime";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { h } from "preact";
import { BuildCache } from "@/lib/fresh/build_cache.ts";
import { decodeIslands, encodeIslands } from "@/lib/fresh/island_props.ts";
import { pathToPattern } from "@/lib/fresh/router.ts";
import { inFolder } from "../support/folder.ts";
import { app } from "./fixtures/site/main.ts";

const root = `${import.meta.dirname}/fixtures/site`;
(await new Builder({ root }).build({ snapshot: "memory" }))(app);
const handler = app.handler();

function get(path: string, init?: RequestInit): Promise<Response> {
  return Promise.resolve(handler(new Request(`http://localhost${path}`, init)));
}

Deno.test("a malformed escape in a parameter stays as it came", async () => {
  assertStringIncludes(await (await get("/blog/%E0%A4%A")).text(), "Post %E0%A4%A");
});

Deno.test("a file route answers 405 with Allow to a method that it lacks", async () => {
  const response = await get("/files/a", { method: "POST" });
  assertEquals(response.status, 405);
  const options = await get("/files/a", { method: "OPTIONS" });
  assertEquals([options.status, options.headers.get("Allow")], [204, "GET, HEAD, OPTIONS"]);
  assertEquals((await get("/blog/new", { method: "DELETE" })).status, 405);
  const plain = new App().get("/x", (ctx) => ctx.text("x")).handler();
  const refused = await plain(new Request("http://localhost/x", { method: "PUT" }));
  assertEquals([refused.status, refused.headers.get("Allow")], [405, "GET, HEAD, OPTIONS"]);
});

Deno.test("links to a part or another query of this page are not marked", async () => {
  const app = new App().get("/x", (ctx) =>
    ctx.render(
      h(
        "p",
        null,
        [["#part", "part"], ["?q=1", "query"], ["", "self"]].map(([rest, text]) =>
          h("a", { href: `/x${rest}` }, text)
        ),
      ),
    ));
  const html = await (await app.handler()(new Request("http://localhost/x?q=2"))).text();
  assertEquals(html.match(/<a [^>]*aria-current[^>]*>\w+/g), [
    '<a href="/x" aria-current="page">self',
  ]);
});

Deno.test("ctx.redirect takes backslashes and line breaks for what browsers take them", async () => {
  for (
    const target of ["/\\evil.example", "\\\\evil.example", "/\t/evil.example", "/\n\\evil.example"]
  ) {
    const app = new App().get("/", (ctx) => ctx.redirect(target)).handler();
    const response = await app(new Request("http://localhost/"));
    assertEquals(response.headers.get("Location"), "/evil.example", JSON.stringify(target));
  }
});

Deno.test("a request whose URL cannot be parsed gets 400 through the root middlewares", async () => {
  const app = new App().use(async (ctx) => {
    try {
      return await ctx.next();
    } catch (error) {
      return ctx.json({ status: (error as { status: number }).status });
    }
  }).handler();
  const request = new Request("http://localhost/");
  Object.defineProperty(request, "url", { value: `http://a b"<>/` });
  assertEquals(await (await app(request)).json(), { status: 400 });
});

Deno.test("an address that a socket brings as it was written is taken as a URL parser takes it", async () => {
  const app = new App().get("/in/x", (ctx) => ctx.text(ctx.url.pathname)).handler();
  for (const path of ["/in/x", "/in/./x", "/out/../in/x", "//in//x", "/in/x?a=/../b"]) {
    const request = new Request("http://localhost/");
    Object.defineProperty(request, "url", { value: `http://localhost${path}` });
    assertEquals(await (await app(request)).text(), "/in/x", path);
  }
});

Deno.test("what is rejected later stands in the context; what is answered 500 alone is logged", async () => {
  const seen: unknown[] = [];
  const app = new App()
    .use((ctx) =>
      ctx.next().catch((error) => (seen.push(ctx.error === error), Promise.reject(error)))
    )
    .get("/unknown", () => Promise.reject(new Error("unknown")))
    .get("/broken", () => Promise.reject(new HttpError(500)))
    .get("/gone", () => Promise.reject(new HttpError(410)));
  const { error } = console;
  const logged: unknown[] = [];
  console.error = (thrown: Error) => logged.push(thrown.name);
  try {
    for (const path of ["/unknown", "/broken", "/gone"]) {
      await app.handler()(new Request(`http://localhost${path}`));
    }
  } finally {
    console.error = error;
  }
  assertEquals([seen, logged], [[true, true, true], ["Error", "HttpError"]]);
});

Deno.test("a page with islands is the same bytes each time and has no inline script", async () => {
  const html = await (await get("/counter")).text();
  assertEquals(await (await get("/counter")).text(), html);
  const state = JSON.parse(/<script id="frsh-state"[^>]*>(.*?)<\/script>/.exec(html)![1]!);
  assertEquals(state.signals, [3]);
  assertEquals(state.islands.length, 3);
  assertEquals(state.islands[0].props, { label: "first </script>", count: { $: 0 } });
  for (const { island } of state.islands) {
    const script = await get(`/_fresh/js/${state.buildId}/${island}.js`);
    assertStringIncludes(script.headers.get("Cache-Control")!, "immutable");
    assert((await script.text()).length > 50);
  }
});

Deno.test("builds that run at once all end, each with the same scripts", async () => {
  const outDirs = await Promise.all([1, 2, 3].map(() => Deno.makeTempDir()));
  await Promise.all(outDirs.map((outDir) => new Builder({ root, outDir }).build()));
  const scripts = outDirs.map((dir) => [...Deno.readDirSync(`${dir}/static/_fresh/js`)][0]!.name);
  assertEquals(new Set(scripts).size, 1);
  for (const dir of outDirs) await Deno.remove(dir, { recursive: true });
});

Deno.test("a script that several components of a page ask for in Head stands there once", async () => {
  const script = () => h(Head, null, h("script", { type: "module", src: "/a.js" }));
  const app = new App().get(
    "/",
    (ctx) => ctx.render(h("p", null, h(script, null), h(script, null))),
  );
  const html = await (await app.handler()(new Request("http://localhost/"))).text();
  assertEquals(html.match(/<script/g)!.length, 1);
});

Deno.test("static files are compressed once, weakly tagged, and answered 304", async () => {
  const response = await get("/mark.svg", { headers: { "Accept-Encoding": "gzip, br" } });
  assertEquals(response.headers.get("Content-Encoding"), "br");
  assertStringIncludes(response.headers.get("Vary")!, "Accept-Encoding");
  const unkeyed = response.headers.get("Cache-Control");
  assertEquals(unkeyed, "no-cache, no-store, max-age=0, must-revalidate");
  const etag = response.headers.get("ETag")!;
  await response.body?.cancel();
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

Deno.test("static files come in no encoding that a client refuses or does not name", async () => {
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

Deno.test("a server answers the files that it started with, whatever a later build leaves of them", () =>
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

Deno.test("island props come back as they were sent, a shared signal as one", () => {
  const shared = signal({ n: 1 });
  const props = {
    text: "</script><!--",
    list: [{ deep: null }, [true, 1.5]],
    dollar: { $: 0, other: { $: { $: "x" } } },
    a: shared,
    b: [shared],
  };
  const json = encodeIslands({ buildId: "x", islands: [{ island: "I", props }] });
  assertEquals(json.includes("<"), false);
  const read = decodeIslands(json).islands[0]!.props;
  for (const name of ["text", "list", "dollar"] as const) assertEquals(read[name], props[name]);
  assertEquals((read.a as typeof shared).value, { n: 1 });
  assert((read.b as unknown[])[0] === read.a);
});

Deno.test("island props that JSON cannot say are refused", () => {
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

Deno.test("pathToPattern reads file names as Fresh documents them", () => {
  const rows: [path: string, pattern: string][] = [
    ["/index", "/"],
    ["/blog/index", "/blog"],
    ["/blog/[id]", "/blog/:id"],
    ["/[user]@[host]", "/:user@:host"],
    ["/blog/[id].md", "/blog/:id.md"],
    ["/docs/[...rest]", "/docs/:rest*"],
    ["/(group)/inside", "/inside"],
    ["/(group)/index", "/"],
  ];
  for (const [path, pattern] of rows) assertEquals(pathToPattern(path), pattern);
  for (const path of ["/[a][b]", "/x[[a]]", "/[a"]) {
    assertThrows(() => pathToPattern(path), SyntaxError);
  }
});

Deno.test("a path with an escaped dot segment is routed as the URL that a parser makes of it", async () => {
  const app = new App()
    .get("/", () => new Response("root"))
    .get("/c/:slug", (ctx) => new Response(`${ctx.params.slug} ${ctx.url.pathname}`));
  const handle = app.handler();
  for (
    const [path, text] of [["/c/%2e%2E", "root"], ["/c/.%2e", "root"], ["/c/a%2e", "a. /c/a%2e"]]
  ) {
    // `Request` would parse it; a server hands it over as it came.
    const req = new Request("http://localhost/");
    Object.defineProperty(req, "url", { value: `http://localhost${path}` });
    assertEquals(await (await handle(req)).text(), text);
  }
});
