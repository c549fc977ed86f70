import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { localPath, matchesEtag, wantsMarkdown } from "@/lib/http/respond.ts";
import { testApp } from "../support/app.ts";

Deno.test("localPath takes percent-encoded paths of this site alone", () => {
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

Deno.test("POST /theme returns to the page it came from, and to /theme when that is no path of the site", async () => {
  await using app = await testApp();
  for (
    const [back, location] of [
      ["/projects?q=%E6%97%A5", "/projects?q=%E6%97%A5"],
      ["/projects?q=日本", "/theme"],
      ["//evil.example", "/theme"],
    ] as const
  ) {
    const { status, headers } = await app.request("/theme", { form: { theme: "amber", back } });
    assertEquals([status, headers.get("location")], [303, location]);
  }
});

Deno.test("an answer has another ETag compressed than not, and each ends in 304 for its own alone", async () => {
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
  // Caddy takes `-gzip` for its own mark, and takes it off what clients send.
  assert(!zipped.endsWith('-gzip"'), zipped);
  assertEquals(await ask("identity", plain), [304, plain]);
  assertEquals(await ask("identity", zipped), [200, plain]);
  assertEquals(await ask("gzip", zipped), [304, zipped]);
  assertEquals(await ask("gzip", plain), [200, zipped]);
});

Deno.test("answers are compressed for whoever takes gzip, in any case, and not where its q is 0", async () => {
  await using app = await testApp();
  const codings: [string | null, string[]][] = [
    ["gzip", ["gzip", "GZIP", "br, gzip;q=0.5", "gzip;q=0.05, br", "gzip;q=1"]],
    [null, ["br", "gzip;q=0", "gzip ; q=0.000", "gzip;q=0 , br", "gzip;q=0."]],
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
  for (const header of ['"a"', 'W/"a"', '"b", W/"a"', "*", ' "a" ']) {
    assertEquals(matchesEtag(header, '"a"'), true, header);
  }
  for (const header of ['"b"', "a", "", '"a-gzip"']) {
    assertEquals(matchesEtag(header, '"a"'), false, header);
  }
});

Deno.test("wantsMarkdown is true only where Markdown is ranked at least as high as what there is instead", () => {
  const wants = (accept?: string, instead: "text/html" | "application/json" = "text/html") =>
    wantsMarkdown(new Request("http://x.test/", { headers: accept ? { accept } : {} }), instead);
  for (
    const accept of [
      "text/markdown",
      "text/markdown, */*",
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
