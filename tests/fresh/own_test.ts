/** What `lib/fresh` does otherwise than Fresh 2.3, or where Fresh's form is its own affair. */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { signal } from "@preact/signals";
import { App } from "fresh";
import { Builder } from "fresh/dev";
import { decodeIslands, encodeIslands } from "@/lib/fresh/island_props.ts";
import { pathToPattern } from "@/lib/fresh/router.ts";
import { app } from "./fixtures/site/main.ts";

const root = new URL("./fixtures/site", import.meta.url).href;
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

Deno.test("with useNonce a page without inline elements allows none", async () => {
  const policy = (await get("/")).headers.get("Content-Security-Policy")!;
  assertEquals(policy.includes("unsafe-inline"), false);
  assertEquals(policy.includes("nonce"), false);
});

Deno.test("a page with islands is the same bytes each time and has no inline script", async () => {
  const html = await (await get("/counter")).text();
  assertEquals(await (await get("/counter")).text(), html);
  assertEquals(html.includes("nonce"), false);
  const state = JSON.parse(/<script id="frsh-state"[^>]*>(.*?)<\/script>/.exec(html)![1]!);
  assertEquals(state.signals, [3]);
  assertEquals(state.islands.length, 4);
  assertEquals(state.islands[0].props, { label: "first </script>", count: { $: ["signal", 0] } });
  for (const url of Object.values(state.chunks) as string[]) {
    const script = await get(url);
    assertStringIncludes(script.headers.get("Cache-Control")!, "immutable");
    assert((await script.text()).length > 50);
  }
});

Deno.test("static files are compressed once, weakly tagged, and answered 304", async () => {
  const response = await get("/mark.svg", { headers: { "Accept-Encoding": "gzip, br" } });
  assertEquals(response.headers.get("Content-Encoding"), "br");
  assertStringIncludes(response.headers.get("Vary")!, "Accept-Encoding");
  const etag = response.headers.get("ETag")!;
  await response.body?.cancel();
  const again = await get("/mark.svg", { headers: { "If-None-Match": `"x", ${etag}` } });
  assertEquals([again.status, await again.text()], [304, ""]);
  for (const path of ["/a%20b,c.css", "/a%20b%2Cc.css"]) {
    assertEquals((await get(path)).status, 200);
  }
});

Deno.test("island props come back as they were sent, a shared signal as one", () => {
  const shared = signal({ n: 1 });
  const props = {
    text: "</script><!--",
    number: NaN,
    big: 10n,
    date: new Date(5),
    url: new URL("https://a.example/"),
    set: new Set([1, undefined]),
    map: new Map([["k", { deep: [null] }]]),
    dollar: { $: ["signal", 0] },
    a: shared,
    b: [shared],
  };
  const json = encodeIslands({ buildId: "x", chunks: {}, islands: [{ island: "I", props }] });
  assertEquals(json.includes("<"), false);
  const read = decodeIslands(json, () => null).islands[0]!.props;
  for (const name of Object.keys(props).slice(0, -2)) {
    assertEquals(read[name], props[name as keyof typeof props], name);
  }
  assertEquals((read.a as typeof shared).value, { n: 1 });
  assert((read.b as unknown[])[0] === read.a);
  assertThrows(
    () => encodeIslands({ buildId: "", chunks: {}, islands: [{ island: "I", props: { f() {} } }] }),
    TypeError,
    "function",
  );
});

Deno.test("pathToPattern reads file names as Fresh documents them", () => {
  const rows: [path: string, pattern: string][] = [
    ["index", "/"],
    ["blog/index", "/blog"],
    ["blog/[id]", "/blog/:id"],
    ["[user]@[host]", "/:user@:host"],
    ["blog/[id].md", "/blog/:id.md"],
    ["docs/[...rest]", "/docs/:rest*"],
    ["docs/[[version]]/index", "/docs{/:version}?"],
    ["(group)/inside", "/inside"],
    ["(group)/index", "/"],
  ];
  for (const [path, pattern] of rows) assertEquals(pathToPattern(path), pattern);
  for (const path of ["[a][b]", "x[[a]]", "[a"]) {
    assertThrows(() => pathToPattern(path), SyntaxError);
  }
});
