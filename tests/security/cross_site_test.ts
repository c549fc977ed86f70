import { assert, assertEquals, assertMatch } from "@std/assert";
import { operations } from "@/lib/app/operations.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";

const SITES = [null, "same-origin", "same-site", "cross-site"];
const ORIGINS = [null, "http://projectory.test", "https://evil.example", "null"];
const TYPES: [type: string | null, body: string | undefined][] = [
  [null, undefined],
  ["application/json", '{"a":1}'],
  ["text/plain", '{"a":1}'],
  ["application/x-www-form-urlencoded", "a=1"],
  [
    "multipart/form-data; boundary=x",
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
  ],
];

/** Pages that accept forms: every page route that handles POST. */
async function pageForms(folder = "routes/", prefix = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(new URL(`../../${folder}`, import.meta.url))) {
    const isGroup = /^\(.*\)$/.test(entry.name);
    if (entry.isDirectory) {
      if (entry.name === "api") continue;
      const path = isGroup ? prefix : `${prefix}/${entry.name.replace(/\[\w+\]/, "sample")}`;
      found.push(...await pageForms(`${folder}${entry.name}/`, path));
      continue;
    }
    const { handler } = await import(`../../${folder}${entry.name}`);
    if (handler?.POST === undefined) continue;
    const name = entry.name.replace(/\.tsx?$/, "").replace(/\[\w+\]/, "sample");
    found.push(name === "index" ? prefix || "/" : `${prefix}/${name}`);
  }
  return found;
}

const writes: [method: string, path: string][] = [
  ...operations.filter(({ method }) => method !== "GET").map((
    { method, path },
  ): [string, string] => [method, path.replaceAll(/\{\w+\}/g, "sample")]),
  ...(await pageForms()).map((path): [string, string] => ["POST", path]),
  ["POST", "/api/mcp"],
];

/** Every key in storage with the version of its value. */
const versionsOf = ({ deps: { store } }: TestApp) =>
  Array.fromAsync(
    store.kv.list({ prefix: [] }),
    ({ key, versionstamp }) => `${JSON.stringify(key)} ${versionstamp}`,
  );

Deno.test("the matrix covers every way to write: API operations, page forms and MCP", () => {
  assert(writes.length >= 20, JSON.stringify(writes));
  assert(writes.some(([, path]) => path === "/submit"), JSON.stringify(writes));
});

for (const [method, path] of writes) {
  Deno.test(`${method} ${path}: 4 Sec-Fetch-Site x 4 Origin x 5 content types are rejected unless same-origin`, async () => {
    await using app = await testApp();
    // The first page of a day stores yesterday's result, which isn't what this test looks for.
    await app.request("/");
    const before = await versionsOf(app);
    for (const site of SITES) {
      for (const origin of ORIGINS) {
        const isForeign = site !== null
          ? site !== "same-origin"
          : origin !== null && origin !== "http://projectory.test";
        if (!isForeign) continue;
        for (const [type, body] of TYPES) {
          const headers: Record<string, string> = {};
          if (site !== null) headers["sec-fetch-site"] = site;
          if (origin !== null) headers["origin"] = origin;
          if (type !== null) headers["content-type"] = type;
          const response = await app.request(path, { method, headers, body });
          const label = `site ${site}, origin ${origin}, type ${type}`;
          assertEquals(response.status, 403, label);
          assertEquals(response.headers.get("access-control-allow-origin"), null, label);
          assertMatch(await response.text(), /forbidden[_-]origin/, label);
        }
      }
    }
    assertEquals(await versionsOf(app), before, "a refused write wrote something");
    for (
      const headers of [
        {},
        { "sec-fetch-site": "same-origin", "origin": "http://projectory.test" },
        { "sec-fetch-site": "none" },
        { "origin": "http://projectory.test" },
      ] as Record<string, string>[]
    ) {
      for (const [type, body] of TYPES) {
        const all = type === null ? headers : { ...headers, "content-type": type };
        const response = await app.request(path, { method, headers: all, body });
        const text = await response.text();
        assert(!text.includes("forbidden_origin"), `${JSON.stringify(all)}: ${text}`);
        // 501 means that something isn't offered, and 503 that it isn't available right now.
        assert(
          response.status < 500 || [501, 503].includes(response.status),
          `${response.status} ${text}`,
        );
      }
    }
  });
}

Deno.test("another site can read the poll, but not its visitor's ballot or any other vote", async () => {
  await using app = await testApp();
  await app.json("/api/v1/poll/vote", { json: { candidate: "claude", reason: "Mine" } });
  const read = (origin?: string) =>
    app.json("/api/v1/poll", { headers: origin === undefined ? {} : { origin } });
  assertEquals((await read()).body.myVote.candidate, "claude");
  assertEquals((await read("http://projectory.test")).body.myVote.candidate, "claude");
  for (const origin of ["https://evil.example", "null", "http://projectory.test:81"]) {
    const { headers, body } = await read(origin);
    assertEquals(headers.get("access-control-allow-origin"), "*");
    assertEquals([body.standings.today.totals.all, body.myVote], [1, null], origin);
  }
  await submit(app, { name: "Read" });
  for (const path of ["/api/v1/projects/read/vote", "/votes?listing=read", "/p/read", "/poll"]) {
    const { status, headers } = await app.request(path);
    assertEquals([path, status], [path, 200]);
    assertEquals(headers.get("access-control-allow-origin"), null, path);
    assertEquals(headers.get("cross-origin-resource-policy"), "same-origin", path);
  }
});

Deno.test("a read never changes anything, even with a method override or unknown method (invariant 31)", async () => {
  await using app = await testApp();
  await app.json("/api/v1/projects", {
    json: { name: "Read", url: "https://read.example.com", tagline: "x" },
  });
  const before = await versionsOf(app);
  for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "FOO"]) {
    for (
      const path of ["/api/v1/projects/read/vote", "/api/v1/projects/read", "/api/v1/projects"]
    ) {
      const response = await app.request(`${path}?_method=POST`, {
        method,
        headers: { "x-http-method-override": "POST" },
      });
      assert(response.status < 500, `${method} ${path}`);
      const text = await response.text();
      if (response.status >= 400 && method !== "HEAD") {
        const body = JSON.parse(text);
        assertEquals([body.ok, typeof body.error.help, typeof body.error.docs], [
          false,
          "string",
          "string",
        ]);
      } else if (text !== "") assertEquals(JSON.parse(text).ok, true);
    }
  }
  assertEquals(await versionsOf(app), before);
});

Deno.test("the theme form never redirects to another site", async () => {
  await using app = await testApp();
  for (const back of ["//evil.example", "https://evil.example/", "/\\evil.example", "/\n/evil"]) {
    const response = await app.request("/theme", { form: { theme: "tide", back } });
    assertEquals([response.status, response.headers.get("Location")], [303, "/"], back);
  }
});
