import { assertEquals } from "@std/assert";
import { testApp } from "../support/app.ts";
import { KINDS, make } from "../support/kinds.ts";

for (const kind of KINDS) {
  const { noun, list, other, setHidden } = kind;
  const [anotherKind] = KINDS.filter((another) => another !== kind);

  Deno.test(`PATCH of a ${noun} returns bad_edit_key for a missing, wrong or malformed key (invariant 9)`, async () => {
    await using app = await testApp();
    const own = await make(app, kind);
    const path = `${list}/${own.slug}`;
    const before = (await app.json(path)).body;
    const wrong: Record<string, string>[] = [
      {},
      { "x-edit-key": "" },
      { "x-edit-key": "pik_" },
      { "x-edit-key": "x".repeat(100_000) },
      { "x-edit-key": (await make(app, kind)).editKey },
      { "x-edit-key": (await make(app, anotherKind!)).editKey },
      { "x-edit-key": `${own.editKey}x` },
      { authorization: own.editKey },
      { authorization: "Basic abc" },
    ];
    for (const headers of wrong) {
      // The unknown field isn't reported, because it isn't read without the key.
      const json = { ...other, unknown: 1 };
      const { status, body } = await app.json(path, { method: "PATCH", json, headers });
      assertEquals([status, body.error.code, body.error.details], [403, "bad_edit_key", undefined]);
      const isSent = /^(?:x|pik_)/.test(headers["x-edit-key"] ?? "");
      assertEquals(body.error.message.includes("send it in the X-Edit-Key header"), !isSent);
    }
    assertEquals((await app.json(path)).body, before);
  });

  Deno.test(`PATCH of an unknown ${noun} is not_found`, async () => {
    await using app = await testApp();
    const { editKey } = await make(app, kind);
    const sent = { method: "PATCH", json: other, editKey };
    const { status, body } = await app.json(`${list}/nowhere`, sent);
    assertEquals([status, body.error.code], [404, "not_found"]);
  });

  Deno.test(`PATCH of a hidden ${noun} returns bad_edit_key even with its key, which is no guess (invariant 9)`, async () => {
    await using app = await testApp();
    const { slug, editKey } = await make(app, kind);
    await setHidden(app, slug, true);
    for (let i = 0; i <= 20; i++) {
      const sent = { method: "PATCH", json: other, editKey };
      const { status, body } = await app.json(`${list}/${slug}`, sent);
      assertEquals([status, body.error.code], [403, "bad_edit_key"]);
    }
    const seen = await make(app, kind);
    const sent = { method: "PATCH", json: other, editKey: seen.editKey };
    assertEquals((await app.json(`${list}/${seen.slug}`, sent)).status, 200);
  });
}

Deno.test("a hidden project's key reads nothing", async () => {
  await using app = await testApp();
  const { slug, editKey } = await make(app, KINDS[0]);
  await KINDS[0].setHidden(app, slug, true);
  for (const part of ["notices", "promotion-report"]) {
    const { status, body } = await app.json(`/api/v1/projects/${slug}/${part}`, { editKey });
    assertEquals([status, body.error?.code], [403, "bad_edit_key"], part);
  }
});
