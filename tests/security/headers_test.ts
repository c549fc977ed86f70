import { assert, assertEquals } from "@std/assert";
import { operations } from "@/lib/app/operations.ts";
import { type TestApp, testApp } from "../support/app.ts";

/** The slug of both the project and the skill. */
const SLUG = "head-b-er";

const AUCTION = "front-row-2026-03-09";

/** One of each kind of response, and every link on the home page and the project's page. */
async function addresses(app: TestApp): Promise<string[]> {
  const { body: { project } } = await app.json("/api/v1/projects", {
    json: {
      name: "Head <b>er",
      url: "https://header.example.com",
      tagline: 'A "quoted" <i>tagline</i>',
      accent: "#684CFF",
    },
  });
  const { body: { skill } } = await app.json("/api/v1/skills", {
    json: {
      title: "Head b er",
      summary: "x",
      kind: "prompt",
      content: "Set every header that helps.",
    },
  });
  assertEquals([project.slug, skill.slug], [SLUG, SLUG]);
  const seen = new Set([
    "/",
    `/p/${SLUG}`,
    "/p/none",
    "/none",
    "/llms.txt",
    "/llms-full.txt",
    "/feed.xml",
    "/sitemap.xml",
    "/robots.txt",
    "/openapi.json",
    "/favicon.ico",
    "/about/",
    "/styles.css?__frsh_c=another-build",
    ...await Promise.all(
      // What needs an edit key is only for its owner.
      operations.filter(({ method, editKey }) => method === "GET" && !editKey).map(
        async ({ path }) => {
          const there = path.replace("{id}", AUCTION).replaceAll(/\{\w+\}/g, SLUG);
          if (path.includes("{")) assertEquals((await app.request(there)).status, 200, there);
          return there;
        },
      ),
    ),
  ]);
  for (const path of ["/", `/p/${SLUG}`]) {
    const html = await app.text(path);
    for (const [, link] of html.matchAll(/(?:href|src)="(\/[^"#]*)"/g)) {
      seen.add(link!.replaceAll("&amp;", "&"));
    }
  }
  return [...seen].filter((path) => !path.startsWith("/go/"));
}

const PERMISSIONS =
  "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()";
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'; object-src 'none'; manifest-src 'self'";
const OTHER_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

Deno.test("every response has security headers and Cache-Control, and no page has inline scripts or styles", async () => {
  await using app = await testApp();
  const paths = await addresses(app);
  assert(paths.length > 40, `${paths.length} addresses`);
  for (const path of paths) {
    const response = await app.request(path, { headers: { accept: "text/html,*/*" } });
    const text = await response.text();
    const { headers } = response;
    const get = (name: string) => headers.get(name);
    assertEquals(get("x-content-type-options"), "nosniff", path);
    assertEquals(get("referrer-policy"), "strict-origin-when-cross-origin", path);
    assertEquals(get("x-frame-options"), "DENY", path);
    assertEquals(get("cross-origin-opener-policy"), "same-origin", path);
    assert(["same-origin", "cross-origin"].includes(get("cross-origin-resource-policy")!), path);
    assertEquals(get("permissions-policy"), PERMISSIONS, path);
    assert(get("x-request-id") !== null, path);
    assert(get("cache-control") !== null, `${path}: nothing says who may keep it`);
    assertEquals(get("strict-transport-security"), null, "no HSTS over http");
    const isPage = get("content-type")?.startsWith("text/html");
    assertEquals(get("content-security-policy"), isPage ? PAGE_POLICY : OTHER_POLICY, path);
    if (!isPage) continue;
    assert(!/ style="| on\w+="|javascript:/i.test(text), `${path}: inline style or handler`);
    assert(!/<style[\s>]/.test(text), `${path}: inline style`);
    for (const [script] of text.matchAll(/<script\b[^>]*>/g)) {
      assert(
        /\bsrc="\//.test(script) || /type="application\/(ld\+)?json"/.test(script),
        `${path}: ${script}`,
      );
    }
  }
});

/** Operations whose responses depend on the caller or the moment. */
const PRIVATE = new Set([
  "/api/v1/projects/{slug}/vote",
  "/api/v1/skills/{slug}/vote",
  "/api/v1/poll",
  "/api/v1/health",
]);

Deno.test("every public API read has a strong ETag and 304, and is cacheable and open to any site", async () => {
  await using app = await testApp();
  await addresses(app);
  let seen = 0;
  for (const { method, path, editKey } of operations) {
    if (method !== "GET" || editKey || PRIVATE.has(path)) continue;
    const there = path.replace("{id}", AUCTION).replaceAll(/\{\w+\}/g, SLUG);
    const { status, headers } = await app.request(there);
    assertEquals(status, 200, there);
    const etag = headers.get("etag") ?? "";
    assert(/^"[^"]+"$/.test(etag), `${there}: ${etag}`);
    assert(headers.get("cache-control")!.startsWith("public, max-age="), there);
    assertEquals(headers.get("access-control-allow-origin"), "*", there);
    const exposed = headers.get("access-control-expose-headers")?.split(", ") ?? [];
    for (const name of ["ETag", "Link", "Location", "Retry-After"]) {
      assert(exposed.includes(name), `${there} hides ${name}`);
    }
    const again = await app.request(there, { headers: { "if-none-match": etag } });
    assertEquals(again.status, 304, there);
    // What a client with a cached response needs, and the headers of every response.
    for (const name of ["etag", "cache-control", "vary", "access-control-allow-origin"]) {
      assertEquals(again.headers.get(name), headers.get(name), `${there}: ${name}`);
    }
    assertEquals(again.headers.get("x-content-type-options"), "nosniff", there);
    seen++;
  }
  assert(seen > 20, `${seen} operations`);
});

/** Pages in the sitemap that show the caller's own vote, ballot or form. */
const OWN_PAGE = /^\/(submit|skills\/.*|p\/.*|poll|promote)$/;

Deno.test("every page that is the same for everyone has a strong ETag and 304, and is compressed", async () => {
  await using app = await testApp();
  const sitemap = await app.text("/sitemap.xml");
  const pages = [...sitemap.matchAll(/<loc>http:\/\/projectory\.test([^<]*)</g)]
    .map(([, path]) => path!).filter((path) => !OWN_PAGE.test(path));
  assert(pages.includes("/auctions") && pages.length > 50, `${pages}`);
  for (const path of pages) {
    const asked = { accept: "text/html", "accept-encoding": "gzip" };
    const { headers, body } = await app.request(path, { headers: asked });
    await body?.cancel();
    assertEquals(headers.get("content-encoding"), "gzip", path);
    assertEquals(headers.get("cache-control"), "public, no-cache", path);
    const etag = headers.get("etag") ?? "";
    assert(/^"[^"]+"$/.test(etag), `${path}: ${etag}`);
    const again = await app.request(path, { headers: { ...asked, "if-none-match": etag } });
    assertEquals(again.status, 304, path);
  }
});

Deno.test("only over HTTPS, all responses have HSTS for two years and pages upgrade insecure requests", async () => {
  await using app = await testApp({ env: { BASE_URL: "https://projectory.test" } });
  for (const path of ["/", "/api/v1", "/none", "/api/v1/none", "/styles.css"]) {
    const { headers } = await app.request(path);
    assertEquals(headers.get("strict-transport-security"), "max-age=63072000; includeSubDomains");
    const policy = headers.get("content-security-policy")!;
    const isPage = headers.get("content-type")!.startsWith("text/html");
    assertEquals(policy.endsWith("; upgrade-insecure-requests"), isPage, path);
  }
  await using plain = await testApp();
  const { headers } = await plain.request("/");
  assertEquals(headers.get("strict-transport-security"), null);
  assert(!headers.get("content-security-policy")!.includes("upgrade-insecure-requests"));
});

Deno.test("the only cookie, the theme, is HttpOnly and SameSite, and Secure over HTTPS", async () => {
  for (const [base, secure] of [["https://projectory.test", true], ["http://x.test", false]]) {
    await using app = await testApp({ env: { BASE_URL: base as string } });
    const chosen = await app.request("/theme", { form: { theme: "ivory" } });
    const attributes = chosen.headers.get("set-cookie")!.split("; ").slice(1);
    for (const wanted of ["HttpOnly", "SameSite=Lax", "Path=/"]) {
      assert(attributes.includes(wanted), wanted);
    }
    assertEquals(attributes.includes("Secure"), secure);
    for (const path of await addresses(app)) {
      const { headers } = await app.request(path);
      assertEquals(headers.get("set-cookie"), null, path);
    }
  }
});

Deno.test("the shipped nginx redirects plain HTTP to HTTPS, except ACME challenges", async () => {
  const text = await Deno.readTextFile(new URL("../../deploy/nginx.conf", import.meta.url));
  const [plain] = /server \{\n {2}listen 80;[\s\S]*?\n\}/.exec(text)!;
  const locations = [...plain.matchAll(/location (\S+) \{ ([^}]*) \}/g)].map((
    [, at, what],
  ) => [at, what]);
  assertEquals(locations, [
    ["/.well-known/acme-challenge/", "root /var/www/html;"],
    ["/", "return 301 https://projectory.example$request_uri;"],
  ]);
});

Deno.test("no response depends on Host, X-Forwarded-Host, X-Forwarded-Proto or Forwarded (invariant 33)", async () => {
  await using app = await testApp();
  const paths = (await addresses(app)).filter((path) => !path.startsWith("/api/v1/health"));
  const bytes = async (path: string, headers: Record<string, string>) => {
    const response = await app.request(path, { headers: { ...headers } });
    // Each submit form has its own edit key.
    const text = (await response.text()).replace(/pik_[\w-]{43}/, "");
    return `${response.status} ${response.headers.get("link")} ${text}`;
  };
  for (const path of paths) {
    const plain = await bytes(path, {});
    for (
      const headers of [
        { "host": "evil.example" },
        { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
        { "forwarded": "host=evil.example;proto=https", "x-original-url": "/admin" },
      ] as Record<string, string>[]
    ) {
      const other = await bytes(path, headers);
      assert(!other.includes("evil.example"), path);
      if (!plain.includes("generatedAt") && !/"requestId"/.test(plain)) {
        assertEquals(other, plain, path);
      }
    }
  }
});

Deno.test("responses that depend on the caller are never cacheable (invariant 33)", async () => {
  await using app = await testApp();
  await addresses(app);
  for (
    const [path, method] of [
      [`/api/v1/projects/${SLUG}/vote`, "GET"],
      [`/api/v1/skills/${SLUG}/vote`, "GET"],
      ["/api/v1/poll", "GET"],
      [`/api/v1/skills/${SLUG}/copy`, "POST"],
    ] as const
  ) {
    const response = await app.request(path, { method });
    assertEquals(response.status, 200, path);
    assert(/no-store/.test(response.headers.get("cache-control")!), path);
  }
});

for (
  const [hops, forwarded, expected] of [
    ["0", "198.51.100.9", "own"],
    ["1", "10.0.0.1, 198.51.100.9", "198.51.100.9"],
    ["2", "198.51.100.9, 10.0.0.1", "198.51.100.9"],
  ] as const
) {
  Deno.test(`with TRUSTED_PROXIES=${hops}, X-Forwarded-For "${forwarded}" makes the caller ${expected} (invariant 34)`, async () => {
    await using app = await testApp({ env: { TRUSTED_PROXIES: hops } });
    await app.json("/api/v1/projects", {
      json: { name: "Proxy", url: "https://proxy.example.com", tagline: "x" },
    });
    const path = "/api/v1/projects/proxy/vote";
    await app.json(path, { method: "POST", headers: { "x-forwarded-for": forwarded } });
    const direct = new Headers();
    const address = expected === "own" ? "203.0.113.7" : "10.9.9.9";
    if (expected !== "own") {
      direct.set("x-forwarded-for", hops === "1" ? expected : `${expected}, 10.0.0.1`);
    }
    const { body } = await app.json(path, { headers: direct, address });
    assertEquals(body.voted, true);
  });
}
