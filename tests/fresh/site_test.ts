import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Builder } from "fresh/dev";
import { app } from "./fixtures/site/main.ts";

const root = new URL("./fixtures/site", import.meta.url).href;
(await new Builder({ root }).build({ snapshot: "memory" }))(app);
const handler = app.handler();

function get(path: string, init?: RequestInit): Promise<Response> {
  return Promise.resolve(handler(new Request(`http://localhost${path}`, init)));
}

Deno.test("file routes answer with the most specific pattern", async () => {
  const rows: [path: string, status: number, text: string][] = [
    ["/blog", 200, "<h1>Blog</h1>"],
    ["/blog/", 200, "<h1>Blog</h1>"],
    ["/blog/new", 200, "New post"],
    ["/blog/x", 200, "Post x"],
    ["/blog/x.md", 200, "# x"],
    ["/blog/caf%C3%A9", 200, "Post café"],
    ["/blog/%E0%A4%A", 200, "Post %E0%A4%A"],
    ["//blog//new", 200, "New post"],
    ["/inside", 200, `<div class="group"><p>Inside</p></div>`],
    ["/files/a/b%20c", 200, "path=a/b c"],
    ["/files", 200, "path="],
    ["/nope", 404, "Error 404"],
  ];
  for (const [path, status, text] of rows) {
    const response = await get(path);
    assertEquals(response.status, status, path);
    assertStringIncludes(await response.text(), text);
  }
});

Deno.test("folders surround their routes with middleware, layout and error page", async () => {
  const post = await get("/blog/x");
  assertEquals(post.headers.get("X-Blog"), "yes");
  assertEquals(post.headers.get("X-Page"), "1");
  assertStringIncludes(
    await post.text(),
    `<body><section class="blog"><article>Post x via root&gt;blog</article></section></body>`
      .replace("&gt;", ">"),
  );
  assertEquals((await get("/api/echo?q=1")).headers.get("X-Trail"), "root>api");
  const missing = await get("/blog/missing");
  assertEquals(missing.status, 404);
  assertStringIncludes(await missing.text(), "Error 404");
});

Deno.test("a page without an island ships no script, one with islands its props", async () => {
  const plain = await (await get("/")).text();
  assertEquals(plain.match(/<script/g), null);
  const html = await (await get("/counter")).text();
  const state = JSON.parse(/<script id="frsh-state"[^>]*>(.*?)<\/script>/.exec(html)![1]!);
  assertEquals(state.signals, [3]);
  assertEquals(state.islands.length, 4);
  assertEquals(state.islands[0].props, {
    label: "first </script>",
    count: { $: ["signal", 0] },
  });
  for (const url of Object.values(state.chunks) as string[]) {
    const script = await get(url);
    assertEquals(script.status, 200);
    assertStringIncludes(script.headers.get("Cache-Control")!, "immutable");
    assert((await script.text()).length > 50);
  }
});
