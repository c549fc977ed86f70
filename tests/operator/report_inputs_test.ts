import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { operatorKeys } from "@/lib/operator/keys.ts";
import type { StoredReport } from "@/lib/operator/reports.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { addressOf } from "../support/listings.ts";
import { share } from "../support/skills.ts";

const FORM = "application/x-www-form-urlencoded";
let caller = 0;

function post(app: TestApp, path: string, body: BodyInit | null, type: string | null) {
  return app.request(path, {
    method: "POST",
    body: body ?? undefined,
    headers: type === null ? {} : { "content-type": type },
    address: addressOf(++caller),
  });
}

async function reportsOf(app: TestApp): Promise<StoredReport[]> {
  const all = await Array.fromAsync(
    app.deps.store.list<StoredReport>({ prefix: operatorKeys.reports }),
  );
  return all.map(({ value }) => value);
}

/** A body that breaks off. */
function broken(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("reason=spam"));
      controller.error(new Error("The client went away"));
    },
  });
}

function stream(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (text !== "") controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}

Deno.test("a skill's report form handles every awkward body without an error", async () => {
  await using app = await testApp();
  const { slug } = await share(app);
  const path = `/skills/${slug}/report`;
  const cases: [string, BodyInit | null, string | null, number][] = [
    ["a repeated kind", "kind=skill&kind=listing&reason=spam", FORM, 303],
    ["a repeated reason: the first counts", "reason=spam&reason=other", FORM, 303],
    ["a repeated reason, the first unknown", "reason=x&reason=spam", FORM, 400],
    ["a repeated note", "reason=spam&note=a&note=b", FORM, 303],
    ["names with brackets", "reason[]=spam&reason[0]=spam", FORM, 400],
    ["names of Object.prototype", "__proto__=a&__proto__=b&constructor=c&reason=spam", FORM, 303],
    ["nothing but names of Object.prototype", "toString=a&hasOwnProperty=b", FORM, 400],
    ["a slug and kind of another", "slug=other&kind=listing&reason=spam", FORM, 303],
    ["a byte order mark", "\uFEFFreason=spam", FORM, 303],
    ["bytes that aren't UTF-8", new Uint8Array([0x72, 0x3d, 0xff, 0xfe]), FORM, 400],
    ["broken escapes", "reason=%&note=%zz%E0%A4", FORM, 400],
    ["a charset", "reason=spam", `${FORM}; charset=iso-8859-1`, 303],
    ["a type in capitals", "reason=spam", FORM.toUpperCase(), 303],
    ["an empty body", "", FORM, 400],
    ["an empty chunked body", stream(""), FORM, 400],
    ["a chunked body", stream("reason=spam"), FORM, 303],
    ["a body that breaks off", broken(), FORM, 400],
    ["no type", stream("reason=spam"), null, 415],
    ["multipart", "--x\r\n\r\nreason\r\n--x--", "multipart/form-data; boundary=x", 415],
    ["JSON", '{"reason":"spam"}', "application/json", 415],
    ["a note of control characters", "reason=spam&note=%00%1b", FORM, 400],
    ["a note that is too long", `reason=spam&note=${"a".repeat(5000)}`, FORM, 400],
    ["a body that is too large", `reason=spam&note=${"a".repeat(2 ** 19)}`, FORM, 413],
    ["ten thousand fields", "reason=spam&reason=spam&".repeat(5000), FORM, 400],
  ];
  for (const [what, body, type, status] of cases) {
    const response = await post(app, path, body, type);
    assertEquals(response.status, status, what);
  }
  const taken = cases.filter(([, , , status]) => status === 303).length;
  const reports = await reportsOf(app);
  assertEquals(reports.length, taken);
  assert(reports.every((report) => report.kind === "skill" && report.slug === slug));
  const twice = await post(
    app,
    `${path}?kind=skill&kind=listing&reason=other`,
    "reason=spam",
    FORM,
  );
  assertEquals(twice.status, 303);
  assertEquals((await reportsOf(app)).at(-1)!.reason, "spam");
});

Deno.test("a report about the whole site needs a note, via API and form", async () => {
  await using app = await testApp();
  const say = async (body: Record<string, unknown>) => {
    const { status, body: answer } = await app.json("/api/v1/reports", { json: body });
    return answer.ok
      ? [status, answer.report.kind, answer.report.slug]
      : [status, ...answer.error.details.map(({ field }: { field: string }) => field)];
  };
  const reason = "spam";
  assertEquals(await say({ kind: "site", reason }), [400, "note"]);
  assertEquals(await say({ kind: "site", note: " ", slug: "" }), [400, "slug", "reason", "note"]);
  assertEquals(await say({ kind: "skill", reason }), [400, "slug"]);
  const { body } = await app.json("/api/v1/reports", { json: { kind: "site", reason } });
  assertEquals(body.error.details[0].message, "Required if kind is site");
  assertEquals(await say({}), [400, "kind", "reason", "slug"]);
  assertEquals(await say({ kind: "site", slug: "none", reason, note: "A" }), [201, "site", null]);
  const form = { reason, note: "The line of Ada in the guestbook of 2 March" };
  const refused = await app.request("/report", { form: { reason } });
  assertEquals(refused.status, 400);
  assertStringIncludes(await refused.text(), "Tell us what's wrong");
  const sent = await app.request("/report", { form });
  assertEquals([sent.status, sent.headers.get("location")], [
    303,
    "http://projectory.test/report?sent=1",
  ]);
  const reports = await reportsOf(app);
  assertEquals(reports.map(({ kind, slug, note }) => [kind, slug, note]), [
    ["site", null, "A"],
    ["site", null, form.note],
  ]);
});
