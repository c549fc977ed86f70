import { assert } from "@std/assert";
import { type TestApp, testApp, type TestRequest } from "../support/app.ts";
import { rounds, runSeed, seededRandom } from "./fault_kv.ts";

/** Codes of the contract that are 5xx by design; anything else above 499 is a fault. */
const KNOWN_5XX = new Set(["payments_unconfigured", "payments_disabled", "submissions_paused"]);
const SLOWEST_MS = 2_000;

const TEXTS = [
  "",
  " ",
  "a",
  "x".repeat(61),
  "x".repeat(2_001),
  "\u0000",
  "\ud800",
  "\u202egnp.exe",
  "\u200b\u2060\ufeff",
  "<script>alert(1)</script>",
  "](javascript:alert(1))",
  "]]><x>",
  "# heading\n\n---\n",
  "'; DROP TABLE kv; --",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "javascript:alert(1)",
  "data:text/html,x",
  "http://localhost/",
  "http://user:pass@example.com/",
  "https://xn--e1awd7f.example.com/",
  "//evil.example",
  "%",
  "%00",
  "%ff%fe",
  "🦕".repeat(40),
  "e\u0301".repeat(30),
  "NaN",
  "1e21",
  "true",
  "null",
];
const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  97_099_970,
  [],
  {},
  [[]],
  [null],
  { __proto__x: 1 },
  Array(300).fill("a"),
  ...TEXTS,
];
const BODIES = [
  "",
  "null",
  "[]",
  '"x"',
  "{",
  '{"a":1,"a":2}',
  '{"__proto__":{"live":true}}',
  "[".repeat(20_000),
  '{"a":'.repeat(30) + "1" + "}".repeat(30),
  '{"name":"\\ud800"}',
  "\u0000",
  "x".repeat(70_000),
  JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i]))),
];
const HEADERS: [string, string][] = [
  ["x-agent-name", "Fuzzer"],
  ["x-agent-name", "x".repeat(61)],
  ["x-agent-name", "<b>"],
  ["x-edit-key", "pik_wrong"],
  ["x-edit-key", `pik_${"A".repeat(43)}`],
  ["authorization", "Bearer "],
  ["authorization", "Basic Og=="],
  ["accept", "text/markdown"],
  ["accept", "*/*;q=0, text/html;q=x"],
  ["if-none-match", '"x", W/"y", *'],
  ["content-encoding", "gzip"],
  ["content-type", "text/plain"],
  ["content-type", "application/json; charset=utf-16"],
  ["idempotency-key", "k".repeat(300)],
  ["range", "bytes=0-1"],
  ["cookie", "theme=<x>; a=;;=b"],
  ["sec-purpose", "prefetch"],
];

interface OpenApi {
  paths: Record<
    string,
    Record<string, {
      parameters?: { in: string; name: string; schema: Record<string, unknown> }[];
      requestBody?: { content: Record<string, { example?: unknown }> };
    }>
  >;
}

/** One random request of an operation: valid, one field broken, random JSON, or raw bytes. */
function generate(api: OpenApi, random: () => number): { path: string; init: TestRequest } {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const paths = Object.keys(api.paths);
  const template = pick(paths);
  const method = pick(Object.keys(api.paths[template]!));
  const operation = api.paths[template]![method]!;
  const slugs = ["fuzz", "none", "front-row-2026-03-09", ...TEXTS.filter((t) => t.isWellFormed())];
  let path = template.replaceAll(
    /\{\w+\}/g,
    () => encodeURIComponent(random() < 0.6 ? "fuzz" : pick(slugs)) || "x",
  );
  const query = new URLSearchParams();
  for (const { in: where, name, schema } of operation.parameters ?? []) {
    if (where !== "query" || random() < 0.6) continue;
    const known = (schema.enum as string[] | undefined) ?? ["1", "10", "fuzz"];
    query.append(name, random() < 0.5 ? pick(known) : pick(TEXTS).toWellFormed());
    if (random() < 0.05) query.append(name, "twice");
  }
  if (query.size > 0) path += `?${query}`;

  const headers = new Headers();
  if (random() < 0.3) headers.set(...pick(HEADERS));
  const init: TestRequest = {
    method: method.toUpperCase(),
    headers,
    address: `198.18.${Math.floor(random() * 255)}.${Math.floor(random() * 255)}`,
    userAgent: pick(["curl/8", "Mozilla/5.0 (X11) Firefox/130", "GPTBot/1.2", ""]),
  };
  if (method === "get") return { path, init };
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  const example = operation.requestBody?.content["application/json"]?.example;
  const dice = random();
  if (dice < 0.15) init.body = pick(BODIES);
  else if (dice < 0.25) {
    init.body = Uint8Array.from({ length: 1 + Math.floor(random() * 200) }, () => random() * 256);
  } else if (example !== undefined) {
    const body = structuredClone(example) as Record<string, unknown>;
    if ("url" in body) body.url = `https://f${Math.floor(random() * 1e9)}.example.com`;
    if (dice < 0.75) {
      const fields = [...Object.keys(body), "votes", "slug", "extra"];
      for (let i = 0; i <= random() * 3; i++) body[pick(fields)] = pick(VALUES);
    }
    init.body = JSON.stringify(body);
  } else if (random() < 0.3) init.body = pick(BODIES);
  return { path, init };
}

async function prepared(): Promise<TestApp> {
  const app = await testApp();
  await app.json("/api/v1/projects", {
    json: { name: "Fuzz", url: "https://fuzz.example.com", tagline: "x" },
  });
  await app.json("/api/v1/skills", {
    json: { title: "Fuzz", summary: "x", kind: "prompt", content: "Try everything at least once." },
  });
  return app;
}

Deno.test("generated HTTP requests (B1, invariant 31): no unspecified 5xx, no slow answer, every answer as the OpenAPI document says", async () => {
  const seed = runSeed("http fuzz");
  const random = seededRandom(seed);
  const app = await prepared();
  const api: OpenApi = await (await app.request("/openapi.json")).json();
  const statuses = new Map<number, number>();
  const total = rounds(3_000, 100_000);
  try {
    for (let i = 0; i < total; i++) {
      const { path, init } = generate(api, random);
      const label = `seed ${seed}, request ${i}: ${init.method} ${path} ${
        typeof init.body === "string" ? init.body.slice(0, 300) : ""
      }`;
      const startedAt = performance.now();
      let response: Response;
      try {
        response = await app.request(path, init);
      } catch (error) {
        throw new Error(label, { cause: error });
      }
      const text = await response.text();
      assert(performance.now() - startedAt < SLOWEST_MS, `slow: ${label}`);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status >= 500) {
        assert(KNOWN_5XX.has(JSON.parse(text).error.code), `${label}: ${text}`);
      }
      if (i % 50 === 0) app.clock.advance(60_000);
    }
  } finally {
    await app[Symbol.asyncDispose]();
  }
  for (const status of [200, 201, 400, 403, 404, 415]) {
    assert(statuses.has(status), `${status} among ${JSON.stringify([...statuses])}`);
  }
});
