import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { createEditKey } from "@/lib/entries/edit_key.ts";
import { setSwitches } from "@/lib/switches.ts";
import { testApp } from "../support/app.ts";
import { freePort } from "../support/free_port.ts";
import { KINDS } from "../support/kinds.ts";
import { kvWith } from "../support/kv_with.ts";
import { addressOf, invalidFields, listingBody } from "../support/listings.ts";
import { operator } from "../support/operator.ts";

const newKey = () => createEditKey().editKey;

for (const { list, form, noun, other, body, duplicate, setHidden } of KINDS) {
  Deno.test(`repeating a ${noun} with the same edit key returns the same entry, from any network`, async () => {
    await using app = await testApp();
    const json = body({ editKey: newKey() });
    const first = await app.json(list, { json, address: addressOf(1) });
    const again = await app.json(list, { json, address: addressOf(2) });
    assertEquals([first.status, first.body.editKey], [201, json.editKey]);
    assertEquals([again.status, again.body], [201, first.body]);
    assertEquals(again.headers.get("location"), first.headers.get("location"));
    assertEquals((await app.json(list)).body.total, 1);
    const { slug } = first.body[noun];
    const edited = await app.json(`${list}/${slug}`, {
      method: "PATCH",
      json: other,
      editKey: String(json.editKey),
    });
    assertEquals(edited.status, 200);
    // The repeated response includes the edit.
    const later = await app.json(list, { json });
    assertEquals([later.status, later.body[noun]], [201, edited.body[noun]]);
  });

  Deno.test(`repeating a ${noun} while another process handles it returns the same entry`, async () => {
    const shared = await Deno.openKv(":memory:");
    let meanwhile: (() => Promise<unknown>) | undefined;
    const kv = kvWith(shared, {
      async getMany(keys) {
        const read = await shared.getMany(keys);
        const wait = keys.some(([table]) => table === "submission_receipts") && meanwhile;
        if (wait) meanwhile = undefined;
        if (wait) await wait();
        return read;
      },
    });
    await using app = await testApp({ kv });
    await using other = await testApp({ kv: kvWith(shared, { close: () => {} }) });
    const sent = { json: body({ editKey: newKey() }) };
    let first: unknown;
    meanwhile = async () => first = (await other.json(list, sent)).body;
    const again = await app.json(list, sent);
    assertEquals([again.status, again.body], [201, first]);
  });

  Deno.test(`another edit key, or another body with the same key, gets ${duplicate}`, async () => {
    await using app = await testApp();
    const json = body({ editKey: newKey() });
    const { body: { [noun]: { slug } } } = await app.json(list, { json });
    for (const fields of [{ editKey: newKey() }, { editKey: undefined }, other]) {
      const { status, body: { error } } = await app.json(list, { json: { ...json, ...fields } });
      assertEquals([status, error.code, error.details], [409, duplicate, { slug }]);
    }
    const second = await app.json(list, { json: body({ editKey: json.editKey }) });
    assertEquals([second.status, second.body.editKey], [201, json.editKey]);
    assertEquals((await app.json(list, { json })).body[noun].slug, slug);
  });

  Deno.test(`a repeated ${noun} with an edit key that was replaced gets ${duplicate}`, async () => {
    await using app = await testApp();
    const sent = { json: body({ editKey: newKey() }), headers: { "idempotency-key": "one" } };
    const { body: { [noun]: { slug } } } = await app.json(list, sent);
    await operator(app, noun === "project" ? "listings" : "skills", "rekey", slug);
    const { status, body: { error } } = await app.json(list, sent);
    assertEquals([status, error.code, error.details], [409, duplicate, { slug }]);
  });

  Deno.test(`repeating a ${noun} with the same Idempotency-Key returns it, without a generated edit key`, async () => {
    await using app = await testApp();
    const headers = { "idempotency-key": `first ${noun}` };
    const json = body();
    const first = await app.json(list, { json, headers });
    const again = await app.json(list, { json, headers });
    assertEquals([first.status, again.status], [201, 201]);
    assertEquals(again.body[noun], first.body[noun]);
    assertEquals("editKey" in again.body, false);
    assertStringIncludes(again.body.editKeyNotice, "already sent this request");
    const changed = await app.json(list, { json: { ...json, ...other }, headers });
    assertEquals(invalidFields(changed), ["Idempotency-Key"]);
    // Another network could use the same Idempotency-Key.
    const stranger = await app.json(list, { json, headers, address: addressOf(9) });
    assertEquals([stranger.status, stranger.body.error.code], [409, duplicate]);
    const both = { json: body({ editKey: newKey() }), headers: { "idempotency-key": "both" } };
    const brought = await app.json(list, both);
    assertEquals((await app.json(list, both)).body, brought.body);
    const headersTooLong = { "idempotency-key": "x".repeat(256) };
    const tooLong = { json: { ...json, editKey: "short" }, headers: headersTooLong };
    for (const path of [list, `${list}?dryRun=1`]) {
      assertEquals(invalidFields(await app.json(path, tooLong)), ["Idempotency-Key", "editKey"]);
    }
  });

  Deno.test(`a repeated ${noun} ignores limits and pauses, but expires after a day or when hidden`, async () => {
    await using app = await testApp();
    const json = body({ editKey: newKey() });
    for (let i = 0; i < 10; i++) assertEquals((await app.json(list, { json })).status, 201);
    await setSwitches(app.deps.store, { submissionsPaused: true });
    assertEquals((await app.json(list, { json })).status, 201);
    await setSwitches(app.deps.store, { submissionsPaused: false });
    app.clock.advance(DAY_MS - HOUR_MS);
    const { body: { [noun]: { slug } } } = await app.json(list, { json });
    const isDuplicate = async () => {
      const { status, body: { error } } = await app.json(list, { json });
      assertEquals([status, error.code], [409, duplicate]);
    };
    await setHidden(app, slug, true);
    await isDuplicate();
    await setHidden(app, slug, false);
    app.clock.advance(HOUR_MS);
    await isDuplicate();
  });

  Deno.test(`repeating a ${noun} that was withdrawn submits it again`, async () => {
    await using app = await testApp();
    const json = body({ editKey: newKey() });
    const { slug } = (await app.json(list, { json })).body[noun];
    await app.json(`${list}/${slug}`, { method: "DELETE", editKey: String(json.editKey) });
    const again = await app.json(list, { json });
    assertEquals(again.status, 201);
    assertNotEquals(again.body[noun].slug, slug);
  });

  Deno.test(`a ${noun} gets submissions_paused while submissions are paused, even in a dry run`, async () => {
    await using app = await testApp();
    await setSwitches(app.deps.store, { submissionsPaused: true });
    for (const path of [list, `${list}?dryRun=1`]) {
      const answer = await app.json(path, { json: body() });
      assertEquals([answer.status, answer.body.error.code], [503, "submissions_paused"], path);
    }
  });

  Deno.test(`a malformed edit key for a ${noun} is refused, and no key is stored`, async () => {
    const written: unknown[] = [];
    await using app = await testApp({
      kv: kvWith(await Deno.openKv(":memory:"), {
        operation(operation) {
          const set = operation.set.bind(operation);
          operation.set = (
            key,
            value,
            options,
          ) => (written.push(key, value), set(key, value, options));
        },
      }),
    });
    for (const editKey of ["pik_short", "x".repeat(47), `pik_${"é".repeat(43)}`, 5, {}]) {
      assertEquals(invalidFields(await app.json(list, { json: body({ editKey }) })), ["editKey"]);
    }
    const json = body({ editKey: newKey() });
    const headers = { "idempotency-key": "a word of mine" };
    assertEquals((await app.json(list, { json, headers })).status, 201);
    const text = JSON.stringify(
      written,
      (_, value) => typeof value === "bigint" ? `${value}` : value,
    );
    assert(text.includes("submission_receipts"));
    for (const secret of [json.editKey, "a word of mine"]) assert(!text.includes(String(secret)));
  });

  Deno.test(`concurrent repeats of a ${noun} with the same edit key create one entry`, async () => {
    await using app = await testApp();
    const json = body({ editKey: newKey() });
    const answers = await Promise.all(
      [1, 2, 3].map((n) => app.json(list, { json, address: addressOf(n) })),
    );
    assertEquals(answers.map(({ status }) => status), [201, 201, 201]);
    assertEquals(new Set(answers.map(({ body }) => body[noun].slug)).size, 1);
    assertEquals((await app.json(list)).body.total, 1);
  });

  Deno.test(`the form for a new ${noun} has an edit key, so submitting it twice shows the same key`, async () => {
    await using app = await testApp();
    const keyIn = (html: string) => /name="editKey" value="(pik_[\w-]{43})"/.exec(html)![1]!;
    const shown = async (path: string) => keyIn(await app.text(path));
    const editKey = await shown(form);
    assertNotEquals(await shown(form), editKey);
    // A link can't set the edit key for its visitor.
    const chosen = newKey();
    assertNotEquals(await shown(`${form}?editKey=${chosen}`), chosen);
    const { tags: _, worksWith: _tools, ...fields } = body() as Record<string, string>;
    const send = async (fields: Record<string, string>) => {
      const response = await app.request(form, { form: fields });
      return { status: response.status, text: await response.text() };
    };
    const refused = await send({ editKey });
    assertEquals([refused.status, keyIn(refused.text)], [400, editKey]);
    for (let i = 0; i < 2; i++) {
      const { status, text } = await send({ ...fields, editKey });
      assertEquals(status, 201);
      assertStringIncludes(text, editKey);
    }
    assertEquals((await app.json(list)).body.total, 1);
    const tampered = await send({ ...body() as Record<string, string>, editKey: "pik_mine" });
    assertEquals(tampered.status, 201);
    assert(!tampered.text.includes("pik_mine"));
  });
}

Deno.test("repeating a project that waits for approval returns it as pending", async () => {
  await using app = await testApp();
  await setSwitches(app.deps.store, { review: true });
  const json = listingBody({ editKey: newKey() });
  const first = await app.json("/api/v1/projects", { json });
  const again = await app.json("/api/v1/projects", { json });
  assertEquals([again.status, again.body.pending, again.body], [201, true, first.body]);
});

Deno.test("a listing whose response was lost can be requested again, and its key can edit it", async () => {
  let loses = false;
  await using app = await testApp();
  const port = freePort();
  // The connection is cut after the service has responded, so the commit has landed.
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, onListen: () => {} },
    async (req, info) => {
      const response = await app.handler(req, info);
      if (!loses) return response;
      await response.body?.cancel();
      return new Response(
        new ReadableStream({
          pull: (controller) => controller.error(new Error("cut")),
        }),
      );
    },
  );
  const json = listingBody({ editKey: newKey() });
  const send = () =>
    fetch(`http://127.0.0.1:${port}/api/v1/projects`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(json),
    }).then((response) => response.json());
  loses = true;
  assertEquals(await send().catch(() => "lost"), "lost");
  loses = false;
  const { project, editKey } = await send();
  assertEquals(editKey, json.editKey);
  const edited = await app.json(`/api/v1/projects/${project.slug}`, {
    method: "PATCH",
    json: { tagline: "Mine" },
    editKey,
  });
  assertEquals(edited.body.project.tagline, "Mine");
  await server.shutdown();
});
