import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { asset } from "fresh/runtime";
import { get } from "./site.ts";

/** Versioned now, because tests of other builds change the version. */
const MARK = asset("/mark.svg");

Deno.test("the most specific file route handles a request", async () => {
  const rows: [path: string, status: number, text: string][] = [
    ["/blog", 200, "<h1>Blog</h1>"],
    ["/blog/", 200, "<h1>Blog</h1>"],
    ["/blog/new", 200, "New post"],
    ["/blog/x", 200, "Post x"],
    ["/blog/x.md", 200, "# x"],
    ["/blog/caf%C3%A9", 200, "Post café"],
    ["//blog//new", 200, "New post"],
    ["/inside", 200, "<p>Inside</p>"],
    ["/nope", 404, "Not Found"],
  ];
  for (const [path, status, text] of rows) {
    const response = await get(path);
    assertEquals(response.status, status, path);
    assertStringIncludes(await response.text(), text);
  }
});

Deno.test("routes run their folder's middleware and render in the app wrapper", async () => {
  const post = await get("/blog/x");
  assertEquals(post.headers.get("X-Blog"), "yes");
  assertEquals(post.headers.get("X-Page"), "1");
  assertStringIncludes(
    await post.text(),
    "<body><article>Post x via root>blog</article></body>",
  );
  assertEquals((await get("/api/echo?q=1")).headers.get("X-Trail"), "root>api");
  const missing = await get("/blog/missing");
  assertEquals(missing.status, 404);
  assertEquals(await missing.text(), "No such post");
});

Deno.test("a page without islands ships no script, and one with islands preloads what it imports", async () => {
  assertEquals((await (await get("/")).text()).match(/<script/g), null);
  const response = await get("/counter");
  const early = [...response.headers.get("Link")!.matchAll(/<([^>]+)>; rel="modulepreload"/g)]
    .map(([, path]) => path!);
  assertStringIncludes(await response.text(), `<script type="module"`);
  for (const path of early) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    const script = await (await get(path)).text();
    for (const [, name] of script.matchAll(/from ?"\.(\/[^"]+)"/g)) {
      assert(early.includes(folder + name), `${path} imports ${name}, which is loaded after it`);
    }
  }
  assert(early.some((path) => path.includes("/chunk-")), "the islands share what they import");
});

Deno.test("Head moves elements into the head and replaces the wrapper's", async () => {
  const html = await (await get("/")).text();
  const head = html.slice(html.indexOf("<head>"), html.indexOf("</head>"));
  assertEquals(head.match(/<title>.*?<\/title>/g), ["<title>Home &amp; more</title>"]);
  assertEquals(head.match(/name="description"/g)!.length, 1);
  assertStringIncludes(head, `content="of the page"`);
  assertStringIncludes(head, `<meta name="robots" content="noindex"`);
});

Deno.test("links to the current page are marked", async () => {
  assertStringIncludes(await (await get("/")).text(), `aria-current="page">here`);
});

Deno.test("async components are rendered", async () => {
  assertStringIncludes(await (await get("/later?text=%3Cb%3E")).text(), "<p>&lt;b");
});

Deno.test("a handler's page() sets the status of the rendered page", async () => {
  const body = new URLSearchParams({ name: "<n>" });
  const response = await get("/blog/x", { method: "POST", body });
  assertEquals(response.status, 422);
  assertStringIncludes(await response.text(), "Post &lt;n");
  assertStringIncludes(response.headers.get("Content-Type")!, "text/html");
});

Deno.test("static files are served with the right type, caching and methods, and nothing outside is served", async () => {
  const first = await get("/mark.svg");
  assertEquals(first.headers.get("Content-Type"), "image/svg+xml");
  assertStringIncludes(await first.text(), "<svg");
  const other = await get("/mark.svg?__frsh_c=other");
  assertEquals([other.status, other.headers.get("Location")], [307, "/mark.svg"]);
  assertStringIncludes((await get(MARK)).headers.get("Cache-Control")!, "immutable");
  assertEquals((await get("/mark.svg", { method: "POST" })).status, 405);
  const head = await get("/mark.svg", { method: "HEAD" });
  assertEquals([head.status, await head.text()], [200, ""]);
  assertEquals(await (await get("/.well-known/a.txt")).text(), "ok\n");
  assertEquals((await get("/../main.ts")).status, 404);
  assertEquals((await get("/favicon.ico")).status, 404);
});
