import { createConfig, lintFromString } from "@redocly/openapi-core";
import { assert, assertEquals } from "@std/assert";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { readdirSync } from "node:fs";
import { operations } from "@/lib/app/operations.ts";
import { type ErrorCode, ERRORS } from "@/lib/errors.ts";
import { TAGS } from "@/lib/openapi/tags.ts";
import { testApp } from "../support/app.ts";

const root = new URL("../../", import.meta.url);

/** Shared: nothing here changes the document, and building it takes a tenth of a second. */
const app = await testApp();
Deno.test.afterAll(async () => await app[Symbol.asyncDispose]());

/** Route files in a folder and its subfolders, as OpenAPI paths. */
async function routePaths(folder: string, prefix: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const entry of Deno.readDir(new URL(folder, root))) {
    const name = entry.name.replaceAll(/\[(\w+)\]/g, "{$1}");
    if (entry.isDirectory) {
      paths.push(...await routePaths(`${folder}${entry.name}/`, `${prefix}/${name}`));
    } else if (!name.startsWith("_")) {
      const path = `${prefix}/${name.replace(/\.tsx?$/, "")}`;
      paths.push(path.replace(/\/index$/, ""));
    }
  }
  return paths;
}

Deno.test("the OpenAPI document lists exactly the routes and methods under routes/api/v1", async () => {
  const files = await routePaths("routes/api/v1/", "/api/v1");
  const described = new Set(
    operations.map(({ path }) => path).filter((p) => p.startsWith("/api/v1")),
  );
  assertEquals([...described].sort(), files.sort());
  for (const path of files) {
    const file = path.replaceAll("{", "[").replaceAll("}", "]");
    const candidates = [`routes${file}.ts`, `routes${file}/index.ts`];
    const exists = (name: string) => Deno.stat(new URL(name, root)).then(() => true, () => false);
    const found = await Promise.all(candidates.map(exists));
    const { handler } = await import(new URL(candidates[found.indexOf(true)]!, root).href);
    const methods = Object.keys(handler);
    const named = operations.filter((o) => o.path === path).map((o) => o.method);
    assertEquals(named.sort(), methods.sort(), path);
  }
});

Deno.test("parameters are typed as clients send them, with Idempotency-Key where it is used", async () => {
  const { body } = await app.json("/openapi.json");
  const parameters = (path: string, method: string) =>
    body.paths[path][method].parameters as { name: string; schema: Record<string, unknown> }[];
  const limits: [path: string, schema: Record<string, unknown>][] = [
    ["projects", { maximum: 100, default: 30 }],
    ["poll", { maximum: 250, default: 250 }],
    ["help", { maximum: 100 }],
  ];
  for (const [path, schema] of limits) {
    const limit = parameters(`/api/v1/${path}`, "get").find((p) => p.name === "limit")!;
    assertEquals(limit.schema, { type: "integer", minimum: 1, ...schema }, path);
  }
  const { amountCents } = body.components.schemas.BidInput.properties;
  assertEquals([amountCents.minimum, amountCents.maximum], [1, 97_099_969]);
  for (const path of ["/api/v1/promote", "/api/v1/auctions/{id}/bids"]) {
    const { schema } = parameters(path, "post").find((p) => p.name === "Idempotency-Key")!;
    assertEquals([schema.type, schema.maxLength], ["string", 255], path);
  }
});

Deno.test("operations describe their inputs, responses and error codes", async () => {
  const { paths, components } = (await app.json("/openapi.json")).body;
  const written = ["forbidden_origin"];
  const failing = { "default": "application/json", "503": ["storage_unavailable", "Retry-After"] };
  const sent = {
    "400": ["invalid_json", "invalid_input"],
    "403": written,
    "413": ["payload_too_large"],
    "415": ["unsupported_media_type"],
    "429": ["rate_limited", "Retry-After", "RateLimit-Policy", "RateLimit"],
  };
  const kept = { "304": "ETag" };
  const slug = "path slug*";
  const described: [path: string, method: string, takes: string[], answers: unknown][] = [
    ["/projects", "post", [
      "query dryRun",
      "header X-Agent-Name",
      "header Idempotency-Key",
      "body*",
    ], {
      ...failing,
      ...sent,
      "201": "application/json, Location",
      "2XX": "application/json",
      "409": ["duplicate_url"],
      "503": ["submissions_paused", "storage_unavailable", "Retry-After"],
    }],
    ["/projects/{slug}", "patch", [slug, "editKey", "bearer", "body*"], {
      ...failing,
      ...sent,
      "200": "application/json",
      "403": ["bad_edit_key", ...written],
      "404": ["not_found"],
      "409": ["duplicate_url"],
    }],
    ["/projects/{slug}", "get", [slug, "query format", "header If-None-Match"], {
      ...failing,
      ...kept,
      "200": "application/json, text/markdown, ETag",
      "400": ["invalid_input"],
      "404": ["not_found"],
    }],
    ["/projects/{slug}/badge.svg", "get", [slug, "header If-None-Match"], {
      ...failing,
      ...kept,
      "200": "image/svg+xml, ETag",
      "404": "image/svg+xml",
    }],
  ];
  for (const [path, method, takes, answers] of described) {
    const { parameters = [], requestBody, security = [], responses } =
      paths[`/api/v1${path}`][method];
    const mark = ({ required = false }: { required?: boolean }) => required ? "*" : "";
    assertEquals(
      [
        ...parameters.map((p: { in: string; name: string; required?: boolean }) =>
          `${p.in} ${p.name}${mark(p)}`
        ),
        ...security.flatMap(Object.keys),
        ...(requestBody === undefined ? [] : [`body${mark(requestBody)}`]),
      ],
      takes,
      `${method} ${path}`,
    );
    const told = Object.entries(responses as Record<string, { $ref?: string }>)
      .map(([status, response]) => {
        const { content = {}, headers = {} } = resolved(response, components);
        const examples = (content as Record<string, { examples?: object }>)["application/json"]
          ?.examples;
        const parts = [...Object.keys(examples ?? content), ...Object.keys(headers)];
        return [status, examples === undefined ? parts.join(", ") : parts];
      });
    assertEquals(Object.fromEntries(told), answers, `${method} ${path}`);
  }
});

Deno.test("non-string constants have only a const, since client generators fail on a type", async () => {
  const { schemas } = (await app.json("/openapi.json")).body.components;
  assertEquals(schemas.Vote.properties.ok, { const: true });
  assertEquals(schemas.Error.properties.ok, { const: false });
  assertEquals(schemas.PromotionOffer.properties.maxFeaturedSlots, { const: 12 });
});

Deno.test("a submission's lowest success status is 201, which client generators use", async () => {
  const { paths } = (await app.json("/openapi.json")).body;
  for (const path of ["/api/v1/projects", "/api/v1/skills"]) {
    const successes = Object.keys(paths[path].post.responses).filter((s) => s.startsWith("2"));
    assertEquals(successes.sort(), ["201", "2XX"], path);
  }
});

Deno.test("the document names the error codes whose details are a list of problems", async () => {
  const document = (await app.json("/openapi.json")).body;
  const { description } = document.components.schemas.Error.properties.error.properties.details;
  const named = description.split(": an array")[0].split(", ");
  const long = "a".repeat(141);
  const listed = new Set<string>();
  for (
    const [path, json] of [
      ["/api/v1/projects", {}],
      ["/api/v1/poll/vote", { candidate: "nobody" }],
      ["/api/v1/poll/vote", { candidate: "other", writeIn: "<b>" }],
      ["/api/v1/auctions/front-row-2026-03-09/bids", { slug: "inkwell", amountCents: 10.5 }],
      ["/api/v1/guestbook", { catchphrase: long }],
      ["/api/v1/guestbook", { agentName: "a.example", catchphrase: "Hi" }],
      ["/api/v1/guestbook", { agentName: "https://a.example", catchphrase: "Hi" }],
    ] as const
  ) {
    const { error } = (await app.json(path, { json })).body;
    if (Array.isArray(error?.details)) listed.add(error.code);
  }
  assertEquals([...listed].sort(), named.sort());
});

Deno.test("operations cover every error code except method_not_allowed, not_implemented and internal_error", async () => {
  const { examples } = (await app.json("/openapi.json")).body.components;
  const unnamed = Object.keys(ERRORS).filter((code) => !(code in examples));
  assertEquals(unnamed, ["method_not_allowed", "not_implemented", "internal_error"]);
});

Deno.test("every operation's path is requested by a test, since responses are checked there", async () => {
  const tests = new URL("tests/", root);
  const files = readdirSync(tests, { recursive: true }).map(String)
    .filter((path) => path.endsWith("_test.ts") && !/^(openapi|artifacts)\//.test(path));
  const texts = await Promise.all(files.map((path) => Deno.readTextFile(new URL(path, tests))));
  const unasked = operations.filter(({ path }) => {
    const asked = path.replace("/api/v1", "").replaceAll(".", "\\.")
      .replaceAll(/\{\w+\}/g, "[^\"'`/ ]+");
    const pattern = new RegExp(`${asked}["'\`?$#]`);
    return !texts.some((text) => pattern.test(text));
  });
  assertEquals(unasked.map(({ path }) => path), []);
});

Deno.test("every 429 response documents Retry-After and the RateLimit headers", async () => {
  const { body } = await app.json("/openapi.json");
  type Responses = Record<string, { $ref?: string } | undefined>;
  const limited = Object.values(body.paths as Record<string, Record<string, object>>)
    .flatMap((methods) => Object.values(methods) as { responses: Responses }[])
    .flatMap(({ responses }) => responses[429] ?? []);
  assert(limited.length > 10, String(limited.length));
  for (const response of limited) {
    const { headers } = resolved(response, body.components);
    assertEquals(Object.keys(headers ?? {}), ["Retry-After", "RateLimit-Policy", "RateLimit"]);
  }
});

Deno.test("every operation with a path parameter documents 404", async () => {
  const { paths } = (await app.json("/openapi.json")).body;
  const named = Object.keys(paths).filter((path) => path.includes("{"));
  assert(named.length > 5, String(named.length));
  for (const path of named) {
    for (const [method, { responses }] of Object.entries<{ responses: object }>(paths[path])) {
      assert("404" in responses, `${method} ${path}`);
    }
  }
});

Deno.test("lists without paging give their maximum length", async () => {
  const { schemas } = (await app.json("/openapi.json")).body.components;
  const { todayWall, recent, leaderboard } = schemas.Guestbook.properties;
  const lists = [
    todayWall,
    recent,
    leaderboard.properties.all,
    schemas.Poll.properties.recentReasons,
    schemas.PollWindow.properties.topAgents,
    schemas.Auctions.properties.pastWinners,
  ];
  assertEquals(lists.map(({ maxItems }) => maxItems), [200, 50, 50, 50, 25, 20]);
});

Deno.test("an edit requires at least one field, in the document too", async () => {
  const { schemas } = (await app.json("/openapi.json")).body.components;
  for (const name of ["ListingPatch", "SkillPatch"]) assertEquals(schemas[name].minProperties, 1);
});

Deno.test("each operation has a unique operationId, a summary and a valid example of any body", () => {
  assertEquals(new Set(operations.map(({ tag }) => tag)), new Set(Object.keys(TAGS)));
  const ids = operations.map(({ operationId }) => operationId);
  assertEquals(new Set(ids).size, ids.length);
  for (const operation of operations) {
    assert(operation.summary.length > 3, operation.operationId);
    if (operation.body) {
      assert(
        operation.body.schema.safeParse(operation.body.example).success,
        operation.operationId,
      );
    }
  }
});

Deno.test("the document is under 50,000 tokens and shares one example per error code", async () => {
  const { body } = await app.json("/openapi.json");
  const text = JSON.stringify(body);
  const tokens = countTokens(text);
  assert(tokens < 50_000, `${tokens} tokens`);
  const count = (part: string) => text.split(part).length - 1;
  // Every integer has this bound; only an offset needs to state it.
  assertEquals(count("9007199254740991"), count('"name":"offset"'));
  const { examples } = body.components;
  const named = [...text.matchAll(/"\$ref":"#\/components\/examples\/(\w+)"/g)];
  assert(named.length > 20, `${named.length} examples are named`);
  for (const [, code] of named) {
    assertEquals(examples[code!].value.error.code, code);
    assertEquals(examples[code!].value.error.help, app.deps.urls.help(code as ErrorCode));
  }
});

Deno.test("/openapi.json passes a standard linter's recommended rules", async () => {
  await using app = await testApp({ env: { BASE_URL: "https://projectory.test.example.org" } });
  const source = await app.text("/openapi.json");
  assertEquals(JSON.parse(source).openapi.slice(0, 3), "3.1");
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source, config });
  const errors = problems.filter((problem) => problem.severity === "error");
  assertEquals(errors.map((e) => [e.ruleId, e.message, e.location[0]?.pointer]), []);
  // A read without input has no client errors.
  const warnings = problems.filter((problem) =>
    problem.severity === "warn" && problem.ruleId !== "operation-4xx-response"
  );
  assertEquals(warnings.map((e) => [e.ruleId, e.message, e.location[0]?.pointer]), []);
});

/** A response, whether it is shared or the operation's own. */
function resolved(
  response: { $ref?: string; content?: object; headers?: object },
  components: { responses: Record<string, typeof response> },
): typeof response {
  const shared = response.$ref?.split("/").at(-1);
  return shared === undefined ? response : components.responses[shared]!;
}
