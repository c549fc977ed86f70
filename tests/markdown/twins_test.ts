import { assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { Parser } from "htmlparser2";
import { PAGE_PATHS } from "@/lib/urls.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

const MARKDOWN = "text/markdown; charset=utf-8";

Deno.test("a page's Markdown by .md suffix and by Accept has the same bytes and ETag", async () => {
  await using app = await testApp();
  await submit(app, { name: "Inkwell" });
  await share(app, { title: "Inkwell" });
  for (
    const [page, suffixed] of [
      ["/", "/index.md"],
      ["/projects", "/projects.md"],
      ["/p/inkwell", "/p/inkwell.md"],
      ["/skills/inkwell", "/skills/inkwell.md"],
    ] as const
  ) {
    const bySuffix = await app.request(suffixed);
    const byAccept = await app.request(page, { headers: { accept: "text/markdown" } });
    for (const response of [bySuffix, byAccept]) {
      assertEquals(response.status, 200);
      assertEquals(response.headers.get("content-type"), MARKDOWN);
      assertMatch(response.headers.get("vary")!, /\bAccept\b(?!-)/);
      assertStringIncludes(response.headers.get("content-security-policy")!, "sandbox");
    }
    const text = await bySuffix.text();
    assertEquals(text, await byAccept.text());
    assertMatch(text, /^# .*\n/);
    assertStringIncludes(text, "Inkwell");
    const etag = bySuffix.headers.get("etag")!;
    assertEquals(etag, byAccept.headers.get("etag"));
    const again = await app.request(suffixed, { headers: { "if-none-match": etag } });
    assertEquals(again.status, 304);
    const { headers } = await app.request(page, { headers: { accept: "text/html" } });
    const known = { "if-none-match": headers.get("etag")! };
    const anew = await app.request(suffixed, { headers: known });
    assertEquals([anew.status, anew.headers.get("content-type")], [200, MARKDOWN]);
    const packed = await app.request(suffixed, { headers: { "accept-encoding": "gzip" } });
    assertEquals(packed.headers.get("content-encoding"), "gzip");
    const unpacked = packed.body!.pipeThrough(new DecompressionStream("gzip"));
    assertEquals(await new Response(unpacked).text(), text);
  }
});

Deno.test("a twin sends each header once and allows cross-origin reads", async () => {
  await using app = await testApp();
  const { project } = await submit(app);
  for (const path of ["/index.md", "/submit.md", `/p/${project.slug}.md`, "/projects.md"]) {
    const { status, headers } = await app.request(path);
    assertEquals(status, 200, path);
    if (path !== "/submit.md") assertEquals(headers.get("access-control-allow-origin"), "*", path);
    for (const [name, value] of headers) {
      const parts = value.split(", ").filter((part) => part !== "same-origin");
      if (name !== "permissions-policy") {
        assertEquals(parts, [...new Set(parts)], `${path} ${name}`);
      }
    }
  }
});

Deno.test("every page's head and Link header name the same twin, which has one title", async () => {
  await using app = await testApp();
  const { project } = await submit(app);
  for (const path of [...PAGE_PATHS, `/p/${project.slug}`, "/projects?sort=new", "/c/game"]) {
    const response = await app.request(path, { headers: { accept: "text/html" } });
    const html = await response.text();
    const twin = /<link rel="alternate" type="text\/markdown" href="([^"]+)"/.exec(html)?.[1];
    const [page] = twin!.split("?");
    const asked = page + new URL(path, page).search;
    assertStringIncludes(response.headers.get("link")!, `<${asked}>; rel="alternate"`, path);
    const answer = await app.request(twin!.replaceAll("&amp;", "&"));
    assertEquals([answer.status, answer.headers.get("content-type")], [200, MARKDOWN], path);
    assertEquals((await answer.text()).match(/^# .+/gm)?.length, 1, path);
  }
});

Deno.test("a filtered list's twin is filtered too, and links to its page's canonical URL", async () => {
  await using app = await testApp();
  await submit(app, { name: "Inkwell" });
  for (
    const [path, twin, canonical] of [
      ["/projects?q=x&sort=top", "/projects.md?q=x&sort=top", null],
      ["/c/game?sort=new", "/c/game.md?sort=new", "/c/game"],
      ["/skills?kind=prompt", "/skills.md?kind=prompt", "/skills?kind=prompt"],
      ["/", "/index.md", "/"],
      ["/p/inkwell", "/p/inkwell.md", "/p/inkwell"],
      [`/submit?description=${"x".repeat(3_000)}`, "/submit.md", "/submit"],
    ] as const
  ) {
    const page = await app.request(path, { headers: { accept: "text/html" } });
    const [, named] = /<([^>]+)>; rel="alternate"; type="text\/markdown"/.exec(
      page.headers.get("link")!,
    )!;
    assertEquals(named, `http://projectory.test${twin}`);
    const html = await page.text();
    const answer = await app.request(twin);
    const expected = canonical && `<http://projectory.test${canonical}>; rel="canonical"`;
    assertEquals(answer.headers.get("link"), expected, twin);
    assertEquals(html.includes('rel="canonical"'), canonical !== null);
  }
});

Deno.test("a 404 page names no twin", async () => {
  await using app = await testApp();
  const response = await app.request("/p/nothing", { headers: { accept: "text/html" } });
  assertEquals([response.status, response.headers.get("link")], [404, null]);
});

Deno.test("an HTML page names the API catalog and the OpenAPI document, and varies by Accept", async () => {
  await using app = await testApp();
  const response = await app.request("/", { headers: { accept: "text/html,*/*;q=0.8" } });
  assertStringIncludes(response.headers.get("content-type")!, "text/html");
  for (const path of ["/", "/submit"]) {
    const { headers } = await app.request(path, { headers: { accept: "text/html" } });
    const varies = headers.get("vary")!.split(", ");
    assertEquals(varies.filter((name) => name === "Accept"), ["Accept"], path);
  }
  const links = response.headers.get("link")!;
  assertStringIncludes(
    links,
    '<http://projectory.test/.well-known/api-catalog>; rel="api-catalog"',
  );
  assertStringIncludes(links, '<http://projectory.test/openapi.json>; rel="service-desc"');
});

Deno.test("a listing's twin is its API card, even if Accept listed Markdown but preferred HTML", async () => {
  await using app = await testApp();
  const { project } = await submit(app);
  const page = `/p/${project.slug}`;
  const accept = "text/html, text/markdown;q=0.5";
  const html = await app.request(page, { headers: { accept } });
  assertStringIncludes(await html.text(), "<!DOCTYPE html>");
  assertEquals(
    await app.text(`${page}.md`),
    await app.text(`/api/v1/projects/${project.slug}?format=md`),
  );
});

Deno.test("a missing twin returns the not_found envelope", async () => {
  await using app = await testApp();
  for (const path of ["/p/none.md", "/nothing.md", "/.md", "/p/x/edit.md"]) {
    const { status, body } = await app.json(path);
    assertEquals(status, 404, path);
    assertEquals(body.error.code, "not_found", path);
  }
});

Deno.test("a twin supports HEAD and OPTIONS and returns method_not_allowed for writes", async () => {
  await using app = await testApp();
  const { project } = await submit(app);
  for (const path of ["/index.md", "/help.md", "/submit.md", `/p/${project.slug}.md`]) {
    const head = await app.request(path, { method: "HEAD" });
    assertEquals([head.status, head.headers.get("content-type")], [200, MARKDOWN], path);
    const options = await app.request(path, { method: "OPTIONS" });
    assertEquals([options.status, options.headers.get("allow")], [204, "GET, HEAD"], path);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const { status, headers, body } = await app.json(path, { method });
      assertEquals([status, headers.get("allow")], [405, "GET, HEAD"], `${method} ${path}`);
      assertEquals(body.error.code, "method_not_allowed");
    }
  }
  const { status, body } = await app.json("/nothing.md", { method: "POST" });
  assertEquals([status, body.error.code], [404, "not_found"]);
});

Deno.test("an unchanged page is converted only once, even an uncacheable form", async () => {
  await using app = await testApp();
  const { end } = Parser.prototype;
  let parsed = 0;
  Parser.prototype.end = function (...args) {
    parsed++;
    return end.apply(this, args);
  };
  try {
    for (const path of ["/about.md", "/submit.md"]) {
      const texts = [];
      for (let asked = 0; asked < 4; asked++) texts.push(await app.text(path));
      assertEquals(new Set(texts).size, 1);
      assertEquals(parsed, 1, path);
      parsed = 0;
    }
  } finally {
    Parser.prototype.end = end;
  }
});

Deno.test("a page with personal content has a separate twin for each caller", async () => {
  await using app = await testApp();
  const read = async (address: string) => {
    const response = await app.request("/poll.md", { address });
    const told = ["cache-control", "etag", "vary"].map((name) => response.headers.get(name));
    return { told, text: await response.text() };
  };
  const before = await read("192.0.2.1");
  for (const [address, candidate] of [["192.0.2.1", "claude"], ["192.0.2.2", "gemini"]] as const) {
    const { status } = await app.json("/api/v1/poll/vote", { json: { candidate }, address });
    assertEquals(status, 200);
  }
  const [one, other] = [await read("192.0.2.1"), await read("192.0.2.2")];
  assertFalse(before.text.includes("You voted for"));
  assertStringIncludes(one.text, "You voted for **Claude**");
  assertStringIncludes(other.text, "You voted for **Gemini**");
  assertEquals(one.told, ["private, no-store", null, "Accept"]);
});
