import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import http2 from "node:http2";
import { z } from "zod";
import { DomainError } from "@/lib/errors.ts";
import { ignoreBody, readForm, readJson } from "@/lib/http/body.ts";
import { parseInput, problemsOf } from "@/lib/http/input.ts";
import { findDuplicateKeys } from "@/lib/http/json_scan.ts";
import { testApp } from "../support/app.ts";
import { invalidFields, submit } from "../support/listings.ts";
import { post } from "../support/mcp.ts";
import { AUCTION_ID, paidApp } from "../support/payments.ts";

Deno.test("findDuplicateKeys names a key by the keys and indexes around it", () => {
  const found = (text: string) => findDuplicateKeys(text).join();
  assertEquals(found('{"a":{"b":1,"c":{"b":1,"b":2}},"b":3}'), "a.c.b");
  assertEquals(found('{"a":[{"b":1},[2,{"c":3,"c":4}]]}'), "a.1.1.c");
  assertEquals(found('{"a":["b","b",{}],"b":[],"a":1}'), "a");
});

Deno.test("duplicate keys are named in whole characters, which strict JSON readers require", async () => {
  await using app = await testApp();
  const half = '{"a\\ud83d":1,"a\\ud83d":2}';
  const { body } = await app.json("/api/v1/projects", {
    method: "POST",
    body: half,
    headers: { "content-type": "application/json" },
  });
  assertEquals(body.error.details, [{ field: "a\ufffd", message: "Sent more than once" }]);
  const long = `"${"a".repeat(499)}\u{1f600}"`;
  const answer = await post(app, `{${long}:1,${long}:2}`);
  assert(answer.body.error.message.isWellFormed());
});

Deno.test("parseInput describes each bound in a sentence, with the right singular", () => {
  const schema = z.object({
    none: z.string().min(1),
    short: z.string().min(2),
    long: z.string().max(1000),
    few: z.array(z.string()).min(1),
    many: z.array(z.string()).max(2),
    low: z.int().min(1),
  });
  const body = {
    none: "",
    short: "a",
    long: "a".repeat(1001),
    few: [],
    many: ["a", "b", "c"],
    low: 0,
  };
  const error = assertThrows(() => parseInput(schema, body), DomainError);
  assertEquals(error.details, [
    { field: "none", message: "Must not be empty", isMissing: true },
    { field: "short", message: "Must have at least 2 characters" },
    { field: "long", message: "Must have at most 1,000 characters" },
    { field: "few", message: "Must have at least 1 item" },
    { field: "many", message: "Must have at most 2 items" },
    { field: "low", message: "Must be at least 1" },
  ]);
});

Deno.test("parseInput reports only the expected type for a value of the wrong type", () => {
  const schema = z.object({
    int: z.int(),
    record: z.record(z.string(), z.string()),
    list: z.array(z.string()).max(2),
    text: z.string().max(1),
  });
  const body = { int: 1.5, record: "x", list: "abc", text: [1, 2] };
  const error = assertThrows(() => parseInput(schema, body), DomainError);
  assertEquals(error.details, [
    { field: "int", message: "Must be a whole number" },
    { field: "record", message: "Must be an object" },
    { field: "list", message: "Must be an array" },
    { field: "text", message: "Must be a string" },
  ]);
});

Deno.test("parseInput uses the schema's own messages", () => {
  const schema = z.object({
    list: z.array(z.string()).max(1, "Pick one"),
    low: z.int().min(1, "Is too low"),
    even: z.int().refine((n) => n % 2 === 0, "Is odd"),
    missing: z.string("Pick a color"),
    mistyped: z.string("Pick a color"),
  });
  const body = { list: ["a", "b"], low: 0, even: 1, mistyped: 1 };
  const error = assertThrows(() => parseInput(schema, body), DomainError);
  assertEquals(error.details, [
    { field: "list", message: "Pick one" },
    { field: "low", message: "Is too low" },
    { field: "even", message: "Is odd" },
    { field: "missing", message: "Required. Pick a color", isMissing: true },
    { field: "mistyped", message: "Pick a color" },
  ]);
});

Deno.test("a submission without any field is told which ones are required, in one word each", async () => {
  await using app = await testApp();
  const { body } = await app.json("/api/v1/projects?dryRun=1", { json: {} });
  assertEquals(
    body.error.details,
    ["name", "url", "tagline"].map((field) => ({ field, message: "Required" })),
  );
});

Deno.test("parseInput lists the allowed values for missing and wrong fields alike", () => {
  const schema = z.object({
    kind: z.enum(["prompt", "workflow"]),
    of: z.enum(["a", "b"]),
    one: z.enum(["1"]),
  });
  const error = assertThrows(() => parseInput(schema, { of: "c", one: "2" }), DomainError);
  assertEquals(error.details, [
    { field: "kind", message: "Required. Must be one of: prompt, workflow", isMissing: true },
    { field: "of", message: "Must be one of: a, b" },
    { field: "one", message: "Must be 1" },
  ]);
});

Deno.test("parseInput lists the known fields next to an unknown one", () => {
  const schema = z.strictObject({ query: z.string(), of: z.strictObject({ a: z.int() }).nullish() })
    .refine(() => true);
  const body = { q: "x", query: "x", of: { a: 1, inner: 1 } };
  const error = assertThrows(() => parseInput(schema, body), DomainError);
  assertEquals(error.details, [
    { field: "of.inner", message: "Unknown field. Fields: a" },
    { field: "q", message: "Unknown field. Fields: query, of" },
  ]);
});

Deno.test("parseInput lists the known fields only once, and cleans the names of unknown ones", () => {
  const schema = z.strictObject({ a: z.int().optional() });
  const body = { [`${"x".repeat(39)}🧿`]: 1, "\ud800\u202eb\0": 1 };
  const error = assertThrows(() => parseInput(schema, body), DomainError);
  assertEquals(error.details, [
    { field: `${"x".repeat(39)}\ufffd`, message: "Unknown field. Fields: a" },
    { field: "\ufffdb", message: "Unknown field" },
  ]);
});

Deno.test("parseInput gives the path of each problem, and nothing more about read-only fields", () => {
  const schema = z.object({ of: z.array(z.strictObject({ a: z.int() })) });
  const error = assertThrows(() => parseInput(schema, { of: [{ a: "x", b: 1 }] }), DomainError);
  assertEquals(error.details, [
    { field: "of.0.a", message: "Must be a number" },
    { field: "of.0.b", message: "You can't set this field" },
  ]);
  assertEquals(problemsOf(z.string().safeParse("x")), []);
});

Deno.test("parseInput puts other problems first, even if the input is valid", () => {
  const other = { field: "b", message: "Is odd" };
  const parse = (value: unknown) =>
    assertThrows(() => parseInput(z.object({ a: z.int() }), value, [other]), DomainError);
  const missing = { field: "a", message: "Required", isMissing: true };
  for (const [value, details] of [[{ a: 1 }, [other]], [{}, [other, missing]]] as const) {
    const error = parse(value);
    assertEquals([error.code, error.details], ["invalid_input", details]);
  }
});

Deno.test("parseInput names up to 50 unknown fields, up to 40 characters of each, and 100 problems", () => {
  const detailsOf = (schema: z.ZodType, value: unknown) =>
    assertThrows(() => parseInput(schema, value), DomainError).details as { field: string }[];
  const body = Object.fromEntries(
    Array.from({ length: 51 }, (_, i) => [`${i}`.padEnd(101, "x"), 1]),
  );
  const unknown = detailsOf(z.strictObject({}), body);
  assertEquals([unknown.length, unknown[0]!.field.length], [50, 40]);
  assertEquals(detailsOf(z.array(z.string()), Array(101).fill(1)).length, 100);
});

Deno.test("readJson accepts JSON media types in any case and with parameters, and no others", async () => {
  const read = (type: string) =>
    readJson(
      new Request("http://a.example", {
        method: "POST",
        headers: { "content-type": type },
        body: "{}",
      }),
    );
  for (
    const type of ["application/json", "Application/JSON ; charset=UTF-8", "application/a+JSON"]
  ) {
    assertEquals(await read(type), {}, type);
  }
  for (
    const type of ["", "text/plain", "json", "application/json5", "text/json, application/json"]
  ) {
    const { code } = await assertRejects(() => read(type), DomainError);
    assertEquals(code, "unsupported_media_type", type);
  }
});

Deno.test("readJson says where a body stops being JSON, without repeating it", async () => {
  const headers = { "content-type": "application/json" };
  const table: [body: BodyInit, said: string][] = [
    ['{"a":"b\nc"}', ": Bad control character in string literal in JSON at position 7"],
    ['{"a":"b",}', ": Expected double-quoted property name in JSON at position 9"],
    ["", ": Unexpected end of JSON input"],
    ["pik_secret=1", ": Unexpected token 'p'"],
    ["💡", ": Unexpected token '\ufffd'"],
    ["undefined", ""],
    [new Uint8Array([0x22, 0xff, 0x22]), ": it is not valid UTF-8"],
    ["[]", ""],
  ];
  for (const [body, said] of table) {
    const request = new Request("http://a.example", { method: "POST", headers, body });
    const { code, message } = await assertRejects(() => readJson(request), DomainError);
    const place = / \(line 1 column \d+\)$/;
    assertEquals([code, message.replace(place, "")], [
      "invalid_json",
      `The body must be a JSON object${said}`,
    ]);
  }
});

/** A posted form whose body arrives in pieces, each in the same large buffer. */
function inPieces(text: string, size = 1): Request {
  const bytes = new TextEncoder().encode(text);
  const buffer = new Uint8Array(65_536);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const piece = bytes.subarray(at, at += size);
      buffer.set(piece);
      controller.enqueue(buffer.subarray(0, piece.length));
    },
  }, { highWaterMark: 0 });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return new Request("http://a.example", { method: "POST", headers, body });
}

Deno.test("a body in small pieces is copied out of the buffer they share", async () => {
  assertEquals({ ...await readForm(inPieces("name=Inkwell&note=in+pieces")) }, {
    name: "Inkwell",
    note: "in pieces",
  });
  const long = "x".repeat(200_000);
  assertEquals({ ...await readForm(inPieces(`a=${long}`, 1_400)) }, { a: long });
});

Deno.test("a body of more than 4,000 pieces is refused, however small they are", async () => {
  assertEquals({ ...await readForm(inPieces(`a=${"x".repeat(3_998)}`)) }, { a: "x".repeat(3_998) });
  const error = await assertRejects(() => readForm(inPieces("x".repeat(4_001))), DomainError);
  assertEquals([error.code, error.details], ["payload_too_large", { maxPieces: 4_000 }]);
});

for (
  const [path, kib, status] of [["/api/v1/skills", 256, 400], [
    "/api/stripe/webhook",
    512,
    503,
  ]] as const
) {
  Deno.test(`a body for ${path} may have ${kib} KiB and no more`, async () => {
    await using app = await testApp();
    const send = async (bytes: number) => {
      const body = `{}${" ".repeat(bytes - 2)}`;
      const headers = { "content-type": "application/json" };
      return (await app.json(path, { method: "POST", body, headers })).status;
    };
    assertEquals([await send(kib * 1024), await send(kib * 1024 + 1)], [status, 413]);
  });
}

Deno.test("ignoreBody measures bodies over HTTP/1.1 and HTTP/2, with and without a length", async () => {
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (req) => {
      const code = await ignoreBody(req).then(() => "ignored", (error) => error.code);
      return new Response(code);
    },
  );
  const { port } = server.addr;
  const plain = async (head: string, body = "") => {
    using socket = await Deno.connect({ hostname: "127.0.0.1", port });
    const text = `POST / HTTP/1.1\r\nhost: a.example\r\nconnection: close\r\n${head}\r\n${body}`;
    await socket.write(new TextEncoder().encode(text));
    const answer = await new Response(socket.readable).text();
    return answer.split("\r\n\r\n")[1];
  };
  const big = "x".repeat(2_000);
  assertEquals(await plain(""), "ignored");
  assertEquals(await plain("content-encoding: gzip\r\n"), "ignored");
  assertEquals(await plain("content-length: 5\r\n", "hello"), "ignored");
  assertEquals(await plain("content-length: 2000\r\n", big), "payload_too_large");
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  assertEquals(await plain("transfer-encoding: chunked\r\n", chunk("hello")), "ignored");
  assertEquals(await plain("transfer-encoding: chunked\r\n", chunk(big)), "payload_too_large");

  const session = http2.connect(`http://127.0.0.1:${port}`);
  const streamed = (body: string, headers = {}) =>
    new Promise<string>((resolve, reject) => {
      const request = session.request({ ":method": "POST", ":path": "/", ...headers });
      let text = "";
      request.on("data", (data) => text += data).on("end", () => resolve(text)).on("error", reject);
      request.end(body);
    });
  assertEquals(await streamed("hello"), "ignored");
  assertEquals(await streamed(big), "payload_too_large");
  assertEquals(await streamed(big, { host: "a.example" }), "payload_too_large");
  await new Promise<void>((resolve) => session.close(resolve));
});

Deno.test("readForm refuses a body that doesn't end within ten seconds, even if its start is valid", async () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("slug=a&amountCents=15")),
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const req = new Request("http://a.example", { method: "POST", headers, body });
  const { setTimeout } = globalThis;
  const waits: number[] = [];
  globalThis.setTimeout = ((run: () => void, ms: number) => {
    waits.push(ms);
    return setTimeout(run);
  }) as typeof setTimeout;
  try {
    await assertRejects(() => readForm(req), DomainError, "The body is incomplete");
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  assertEquals(waits, [10_000]);
});

Deno.test("a refused submission also names the fields that don't exist", async () => {
  await using app = await paidApp();
  for (
    const [path, json, fields] of [
      ["/api/v1/projects", { title: "A", link: "https://a.dev" }, "name,url,tagline,title,link"],
      ["/api/v1/skills", { name: "A" }, "title,summary,kind,content,name"],
      ["/api/v1/promote", { slug: "a", tier: "boost-7" }, "tierId,tier"],
      ["/api/v1/reports", { kind: "listing", id: "a" }, "reason,id,slug"],
    ] as const
  ) {
    assertEquals(invalidFields(await app.json(path, { json })).join(), fields);
  }
});

Deno.test("orders, bids, ballots, check-ins and reports name the fields that they ignored", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  for (
    const [path, fields] of [
      ["/api/v1/promote", { slug, tierId: "boost-7", autorenew: true }],
      [`/api/v1/auctions/${AUCTION_ID}/bids`, { slug, amountCents: 1_000, autorenew: true }],
      ["/api/v1/poll/vote", { candidate: "claude", autorenew: true }],
      ["/api/v1/guestbook", { agentName: "Rook", catchphrase: "Hello", autorenew: true }],
      ["/api/v1/reports", { kind: "listing", slug, reason: "spam", autorenew: true }],
    ] as const
  ) {
    const { autorenew: _, ...known } = fields;
    for (const [json, ignored] of [[fields, ["autorenew"]], [known, undefined]] as const) {
      const { body } = await app.json(path, { json });
      assertEquals(
        [body.ok, body.ignoredFields],
        [true, ignored],
        `${path}: ${JSON.stringify(body)}`,
      );
    }
  }
});
