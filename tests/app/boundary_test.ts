import { assert, assertEquals, assertMatch } from "@std/assert";
import { operations } from "@/lib/app/operations.ts";
import { unavailable } from "@/lib/kv/retry.ts";
import { testApp } from "../support/app.ts";
import { invalidFields, submit } from "../support/listings.ts";

Deno.test("unknown API and file paths return the JSON envelope, and unknown pages return a page", async () => {
  await using app = await testApp();
  for (const path of ["/api/v1/nowhere", "/api/v1/projects/a/b/c", "/api/v2", "/x.json"]) {
    const { status, headers, body } = await app.json(path, {
      headers: { accept: "application/json" },
    });
    assertEquals([status, body.ok, body.error.code], [404, false, "not_found"], path);
    assertEquals(headers.get("cache-control"), "no-store", path);
    assertEquals(
      body.error.help,
      "http://projectory.test/help?q=error-not-found#error-not-found",
    );
    assertEquals(body.error.docs, "http://projectory.test/api");
    assertEquals(Object.keys(body.error), ["code", "message", "help", "docs"], "no details");
  }
  for (const path of ["/api/v2", "/api/nowhere", "/api/v1/nowhere", "/go/nowhere"]) {
    const { body } = await app.json(path, { headers: { accept: "*/*" } });
    assertEquals([body.ok, body.error.code], [false, "not_found"], path);
  }
  const browser = { accept: "text/html,*/*;q=0.8" };
  for (
    const path of ["/api/x", "/.well-known/x", "/x.json", "/x.txt", "/x.xml", "/x.md", "/x.svg"]
  ) {
    assertEquals((await app.json(path, { headers: browser })).body.ok, false, path);
  }
  for (const path of ["/x/api/x", "/x.json/x"]) {
    const { headers } = await app.request(path, { headers: browser });
    assertMatch(headers.get("content-type")!, /^text\/html/, path);
  }
  const visit = await app.request("/go/nowhere", { headers: browser });
  assertMatch(visit.headers.get("content-type")!, /^text\/html/);
  const sent = await app.json("/nowhere", { json: {}, headers: { accept: "*/*" } });
  assertEquals([sent.status, sent.body.error.code], [404, "not_found"]);
  const page = await app.request("/nowhere", { headers: { accept: "text/html" } });
  assertEquals(page.status, 404);
  assertMatch(page.headers.get("content-type")!, /^text\/html/);
  assertMatch(await page.text(), /find that page/);
});

Deno.test("a write with an unknown query parameter, such as a misspelled dry run, does nothing", async () => {
  await using app = await testApp();
  const { project, editKey } = await submit(app, { name: "Stays", url: "https://stays.dev" });
  const writes = operations.filter(({ method, path }) =>
    method !== "GET" && path.startsWith("/api/v1/")
  );
  for (const { method, path, query } of writes) {
    const address = path.replace("{slug}", project.slug).replace("{id}", "front-row-2026-03-09");
    const answer = await app.json(`${address}?dry_run=1${query ? "" : "&dryRun=1"}`, {
      method,
      editKey,
      headers: { "content-type": "application/json" },
      ...(method === "DELETE" ? {} : { json: { tagline: "Changed" } }),
    });
    const fields = query ? ["dry_run"] : ["dry_run", "dryRun"];
    assertEquals([answer.status, invalidFields(answer)], [400, fields], `${method} ${path}`);
  }
  assertEquals((await app.json(`/api/v1/projects/${project.slug}`)).body.project, project);
});

Deno.test("an unexpected error returns internal_error without its text, and is logged with its request id", async () => {
  await using app = await testApp();
  const logged: [string, unknown][] = [];
  app.deps.log.error = (message, fields) => logged.push([message, fields]);
  app.deps.catalogue.sizes = () => {
    throw new TypeError("A planted fault");
  };
  const { status, body } = await app.json("/api/v1/categories");
  assertEquals([status, body.error.code], [500, "internal_error"]);
  assertMatch(body.error.details.requestId, /^[\w-]{20,}$/);
  assert(!JSON.stringify(body).includes("planted"));
  const [[message, fields]] = logged as [[string, Record<string, string>]];
  assertEquals([logged.length, message, fields.requestId], [
    1,
    "internal_error",
    body.error.details.requestId,
  ]);
  assertMatch(JSON.stringify(fields), /TypeError.*A planted fault/);
});

Deno.test("a storage failure is logged with KV's error, the method and the route", async () => {
  await using app = await testApp();
  const logged: [string, unknown][] = [];
  app.deps.log.warn = (message, fields) => logged.push([message, fields]);
  app.deps.store.transact = () => Promise.reject(unavailable(new TypeError("disk is full")));
  const { status } = await app.json("/api/v1/projects/inkwell/vote", { method: "POST" });
  assertEquals(status, 503);
  const [[message, fields]] = logged as [[string, Record<string, string>]];
  assertEquals([logged.length, message], [1, "storage_unavailable"]);
  const { method, route, error, message: said } = fields;
  assertEquals([method, route, error, said], [
    "POST",
    "/api/v1/projects/:slug/vote",
    "TypeError",
    "disk is full",
  ]);
});

Deno.test("requests are logged by route, and only at debug level unless they are slow", async () => {
  for (
    const [level, ms, expected] of [
      ["debug", 1, ["debug", "request"]],
      ["info", 1, null],
      ["info", 5_000, ["warn", "slow_request"]],
    ] as const
  ) {
    await using app = await testApp({ env: { LOG_LEVEL: level } });
    const logged: unknown[][] = [];
    for (const level of ["debug", "warn"] as const) {
      app.deps.log[level] = (message, fields) => logged.push([level, message, fields]);
    }
    const now = performance.now.bind(performance);
    let passed = 0;
    performance.now = () => now() + (passed += ms);
    await app.json("/api/v1/projects/never-was").finally(() => performance.now = now);
    assertEquals(logged.length, expected === null ? 0 : 1);
    if (expected === null) continue;
    const [[at, message, fields]] = logged as [[string, string, Record<string, unknown>]];
    assertEquals([at, message], [...expected]);
    const { method, route, status } = fields;
    assertEquals([method, route, status], ["GET", "/api/v1/projects/:slug", 404]);
    assert(Number(fields.ms) >= ms, String(fields.ms));
  }
});

Deno.test("other origins can read an error wherever they could read the response", async () => {
  await using app = await testApp();
  for (const [method, origin] of [["GET", "*"], ["PATCH", null]] as const) {
    const { status, headers } = await app.json("/api/v1/projects/never-was", { method });
    assertEquals([status, headers.get("access-control-allow-origin")], [404, origin], method);
  }
});

Deno.test("a 4,000-character slug is not_found", async () => {
  await using app = await testApp();
  const long = "a".repeat(4000);
  for (
    const [method, path] of [
      ["GET", `/api/v1/projects/${long}`],
      ["PATCH", `/api/v1/projects/${long}`],
      ["GET", `/api/v1/projects/${long}/vote`],
      ["POST", `/api/v1/projects/${long}/vote`],
      ["GET", `/api/v1/skills/${long}`],
      ["POST", `/api/v1/skills/${long}/copy`],
      ["GET", `/api/v1/auctions/${long}`],
    ] as const
  ) {
    const { status, body } = await app.json(path, { method });
    assertEquals([status, body.error.code], [404, "not_found"], `${method} ${path.slice(0, 30)}`);
  }
  for (const path of ["p", "go", "skills", "c", "t", "auctions", "checkout"]) {
    assertEquals((await app.request(`/${path}/${long}`)).status, 404, path);
  }
});

Deno.test("an unsupported method returns 405 with Allow", async () => {
  await using app = await testApp();
  const { project } = await submit(app);
  const path = `/api/v1/projects/${project.slug}`;
  for (
    const [address, method, allow] of [
      [path, "PUT", "GET, HEAD, PATCH, DELETE"],
      [path, "FOO", "GET, HEAD, PATCH, DELETE"],
      [`${path}/vote`, "PATCH", "GET, HEAD, POST, DELETE"],
      [`${path}/badge.svg`, "POST", "GET, HEAD"],
      ["/api/v1/projects", "FOO", "GET, HEAD, POST"],
      ["/api/stripe/webhook", "FOO", "POST"],
      ["/submit", "FOO", "GET, POST, HEAD, OPTIONS"],
      ["/submit.md", "FOO", "GET, HEAD"],
      ["/styles.css", "POST", "GET, HEAD"],
      [`/p/${project.slug}/vote`, "GET", "POST, OPTIONS"],
    ] as const
  ) {
    const { status, headers, body } = await app.json(address, {
      method,
      headers: { accept: "application/json" },
    });
    assertEquals([status, body.error.code], [405, "method_not_allowed"], `${method} ${address}`);
    assertEquals(headers.get("allow"), allow);
    const pointsToApi = body.error.message.endsWith(". /api/v1 lists all endpoints");
    assertEquals(pointsToApi, address.startsWith("/api/"), body.error.message);
  }
  assertEquals((await app.json(path)).status, 200);
});

Deno.test("pages redirect trailing slashes and needless escapes, and the API accepts trailing slashes", async () => {
  await using app = await testApp();
  const { slug } = (await submit(app)).project;
  for (
    const [path, location] of [
      ["/projects/", "/projects"],
      ["/projects/?sort=new&q=%2F", "/projects?sort=new&q=%2F"],
      [`/p/${slug}/`, `/p/${slug}`],
      ["/submit///", "/submit"],
      ["/%73ub%6D%69t?name=%41", "/submit?name=%41"],
      [`/p/%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}.md`, `/p/${slug}.md`],
      ["/p/%41%5A%61%7A%30%39%2d%2E%5f%7e%2F%C3%A9/", "/p/AZaz09-._~%2F%C3%A9"],
      ["//%65vil.example", "/evil.example"],
      ["/api/", "/api"],
      ["//evil.example/", "/evil.example"],
      ["/\\evil.example/", "/evil.example"],
    ] as const
  ) {
    const { status, headers } = await app.request(`http://projectory.test${path}`);
    assertEquals([status, headers.get("location")], [308, location], path);
    assertEquals(headers.get("x-content-type-options"), "nosniff");
  }
  for (const path of ["/", "/api/v1/", "/api/v1/projects/", `/api/v1/projects/${slug}/`]) {
    assertEquals((await app.request(path)).status, 200, path);
  }
});

Deno.test("HEAD returns the same headers as GET, including Content-Length, for every kind of response", async () => {
  await using app = await testApp();
  const { slug } = (await submit(app)).project;
  const server = Deno.serve({ port: 0, onListen() {} }, app.handler);
  const base = `http://127.0.0.1:${server.addr.port}`;
  const ignored = new Set(["date", "x-request-id", "vary"]);
  const facts = async (path: string, method: string) => {
    // Without Accept-Encoding: identity, the server compresses what the app didn't.
    const response = await fetch(base + path, {
      method,
      headers: { "accept-encoding": "identity" },
    });
    const headers = Object.fromEntries(
      [...response.headers].filter(([name]) => !ignored.has(name)),
    );
    return { status: response.status, headers, length: (await response.text()).length };
  };
  for (
    const path of [
      "/",
      "/index.md",
      "/submit",
      "/nowhere",
      `/p/${slug}`,
      `/p/${slug}.md`,
      "/api/v1/projects",
      `/api/v1/projects/${slug}`,
      `/api/v1/projects/${slug}/badge.svg`,
      `/api/v1/projects/${slug}/vote`,
      "/api/v1/projects/nothing",
      "/llms.txt",
    ]
  ) {
    const head = await facts(path, "HEAD");
    const get = await facts(path, "GET");
    assertEquals(head.length, 0, path);
    assert(get.length > 0, path);
    assertEquals([head.status, head.headers], [get.status, get.headers], path);
  }
  await server.shutdown();
  const headers = { "if-none-match": "*" };
  const unchanged = await app.request("/api/v1/projects", { method: "HEAD", headers });
  assertEquals([unchanged.status, unchanged.headers.get("content-length")], [304, null]);
});

Deno.test("OPTIONS lists the methods, and allows other origins only to read", async () => {
  await using app = await testApp();
  const response = await app.request("/api/v1/projects", { method: "OPTIONS" });
  assertEquals(response.status, 204);
  assertEquals(response.headers.get("allow"), "GET, HEAD, POST");
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("access-control-allow-methods"), "GET, HEAD");
});

Deno.test("CORS preflight allows other origins to read everything public, but not to write", async () => {
  await using app = await testApp();
  const { project } = await submit(app);
  const preflight = async (path: string, method: string) => {
    const { status, headers } = await app.request(path, {
      method: "OPTIONS",
      headers: {
        "origin": "https://other.example",
        "access-control-request-method": method,
        "access-control-request-headers": "accept,if-none-match,x-agent-name",
      },
    });
    const allowed = headers.get("access-control-allow-headers")?.toLowerCase().split(", ").sort();
    return [status, headers.get("access-control-allow-origin"), allowed?.join() ?? null];
  };
  const open = [204, "*", "accept,if-none-match,x-agent-name"];
  const reads = operations.filter(({ method }) => method === "GET")
    .map(({ path }) => path.replace("{slug}", project.slug).replace("{id}", "x"));
  const documents = [
    "/llms.txt",
    "/feed.xml",
    "/sitemap.xml",
    `/p/${project.slug}.md`,
    "/",
    "/help",
  ];
  for (const path of [...reads, ...documents]) {
    for (const method of ["GET", "HEAD"]) {
      assertEquals(await preflight(path, method), open, `${method} ${path}`);
    }
  }
  for (const { method, path } of operations.filter(({ method }) => method !== "GET")) {
    const address = path.replace("{slug}", project.slug).replace("{id}", "x");
    const answer = await preflight(address, method);
    assertEquals(answer, [204, null, null], `${method} ${path}`);
  }
  assertEquals(await preflight("/api/mcp", "POST"), [403, null, null]);
});

Deno.test("guard returns 400 if the Host header doesn't form a valid URL", async () => {
  await using app = await testApp();
  const broken = { url: 'http://a b"<>/', method: "GET", headers: new Headers() } as Request;
  const response = await app.handler(broken, {} as Deno.ServeHandlerInfo);
  const { error } = await response.json();
  assertEquals([response.status, error.details[0].field], [400, "Host"]);
});

Deno.test("guard returns 400 if the Host header would become part of the path", async () => {
  await using app = await testApp();
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    app.handler,
  );
  const { port } = server.addr;
  const statusFor = async (host: string) => {
    using socket = await Deno.connect({ hostname: "127.0.0.1", port });
    const request = `GET /projects/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    await socket.write(new TextEncoder().encode(request));
    const answer = await new Response(socket.readable).text();
    return Number(answer.split(" ")[1]);
  };
  for (const host of ["a/b", "a/api/v1?", "a?b", "a#", "a\\b"]) {
    assertEquals([host, await statusFor(host)], [host, 400]);
  }
  for (const host of ["a.example", "a.example:8000", "127.0.0.1", "[::1]:80"]) {
    assertEquals([host, await statusFor(host)], [host, 308]);
  }
});

Deno.test("GET /api/v1 lists every operation in the route table", async () => {
  await using app = await testApp();
  const { body } = await app.json("/api/v1");
  assertEquals(
    body.endpoints,
    operations.map(({ operationId, method, path, summary }) => ({
      operationId,
      method,
      url: `http://projectory.test${path}`,
      summary,
    })),
  );
});

Deno.test("a 304 never changes the cached response's policy headers, and has no Link header", async () => {
  await using app = await testApp();
  for (const path of ["/skills", "/api/v1/projects", "/styles.css", "/llms.txt"]) {
    const headers = { accept: "text/html, */*" };
    const first = await app.request(path, { headers });
    const etag = first.headers.get("etag")!;
    assertMatch(etag, /^(W\/)?"/, path);
    const again = await app.request(path, { headers: { ...headers, "if-none-match": etag } });
    assertEquals(again.status, 304, path);
    assertEquals(first.headers.has("link"), path === "/skills", path);
    assertEquals(again.headers.get("link"), null, path);
    const policies = ({ headers }: Response) => [
      headers.get("content-security-policy"),
      headers.get("cross-origin-resource-policy"),
    ];
    const [policy, sharing] = policies(first);
    assert(policy !== null && sharing !== null, path);
    // A page's 304 repeats its policy. Other 304s leave it to the cache.
    assertEquals(policies(again), [path === "/skills" ? policy : null, null], path);
    assert([null, first.headers.get("content-type")].includes(again.headers.get("content-type")));
  }
});

Deno.test("a query of over 300 parameters or a form of over 1,000 fields is invalid_input", async () => {
  await using app = await testApp();
  const query = (pairs: number) => `/api/v1/projects?${"&".repeat(pairs - 1)}`;
  assertEquals((await app.json(query(300))).status, 200);
  const over = await app.json(query(301));
  assertEquals(over.status, 400);
  const message = "Must have at most 300 parameters";
  assertEquals(over.body.error.details, [{ field: "query", message }]);
  const refusedPage = await app.request(`/?${"&".repeat(300)}`);
  assertEquals(refusedPage.headers.get("x-content-type-options"), "nosniff");
  assertMatch(refusedPage.headers.get("x-request-id")!, /^[\da-f-]{36}$/);
  const { project } = await submit(app);
  const send = (fields: number) =>
    app.request(`/p/${project.slug}/vote`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "a&".repeat(fields - 1),
    });
  const refused = await send(1_001);
  assertEquals(refused.status, 400);
  assertMatch(await refused.text(), /Must have at most 1,000 fields/);
  assertEquals((await app.request(`/p/${project.slug}/vote`, { form: {} })).status, 303);
});
