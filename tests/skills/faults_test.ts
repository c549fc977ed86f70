import { assert, assertEquals } from "@std/assert";
import { skillKeys } from "@/lib/skills/keys.ts";
import type { StoredSkill } from "@/lib/skills/schema.ts";
import { testApp } from "../support/app.ts";
import { faultKv } from "../support/fault_kv.ts";
import { addressOf } from "../support/listings.ts";
import { rounds, runSeed } from "../support/runs.ts";
import { share, skillBody } from "../support/skills.ts";

const path = "/api/v1/skills";
const ATTEMPTS = rounds(60, 600);

Deno.test("skills on a failing KV: acknowledged writes are complete, and a 503 leaves nothing half done", async () => {
  const plain = await Deno.openKv(":memory:");
  const { kv, faults } = faultKv(plain, { seed: runSeed("skills on a failing KV"), rates: {} });
  await using app = await testApp({ kv });
  // Most writes succeed in the end, but some fail.
  faults.rates = {
    throw_before: 0.8,
    throw_after: 0.1,
    not_ok: 0.1,
    locked: 0.1,
    read_throws: 0.2,
  };
  const acknowledged = new Map<string, string>();
  let refused = 0;
  for (let i = 0; i < ATTEMPTS; i++) {
    const json = skillBody({ title: `Skill ${i % 7}` });
    const { status, body } = await app.json(path, { json, address: addressOf(i) });
    if (status === 201) acknowledged.set(body.skill.slug, json.content as string);
    else assertEquals([status, body.error.code], [503, "storage_unavailable"], String(++refused));
    // A rejected submission can be sent again: it isn't a duplicate of itself.
    if (status === 503 && i % 3 === 0) {
      const again = await app.json(path, { json, address: addressOf(i) });
      if (again.status === 201) acknowledged.set(again.body.skill.slug, json.content as string);
      else assertEquals(again.status, 503);
    }
  }
  await faults.caughtUp();
  faults.rates = {};
  // Reread what landed at an unknown time.
  await app.deps.sync.caughtUp();
  const stored = new Map<string, StoredSkill>();
  for await (const { value } of plain.list<StoredSkill>({ prefix: skillKeys.all })) {
    stored.set(value.slug, value);
  }
  assertEquals([...stored.keys()].sort(), [...acknowledged.keys()].sort());
  for (const [slug, { contentKey }] of stored) {
    assertEquals((await plain.get(skillKeys.content(slug))).value, acknowledged.get(slug));
    assertEquals((await plain.get(skillKeys.byContent(contentKey))).value, slug);
  }
  const count = async (prefix: Deno.KvKey) =>
    (await Array.fromAsync(plain.list({ prefix }))).length;
  assertEquals(await count(["skill_contents"]), stored.size);
  assertEquals(await count(skillKeys.allByContent), stored.size);
  assertEquals((await app.json(path)).body.total, stored.size);
  assert(refused > 0 && stored.size > 0, `${refused} refused, ${stored.size} stored`);
});

Deno.test("a stored edit is reported as a success even if KV fails right after (invariant 32)", async () => {
  const { kv, faults } = faultKv(await Deno.openKv(":memory:"), { seed: 1, rates: {} });
  await using app = await testApp({ kv });
  const { slug, editKey, skill } = await share(app);
  await app.json(`${path}/${slug}/vote`, { method: "POST" });
  // From when the change is stored.
  app.deps.store.subscribe(() => faults.rates = { read_throws: 1 });
  const { status, body } = await app.json(`${path}/${slug}`, {
    method: "PATCH",
    json: { title: "Renamed" },
    headers: { authorization: `Bearer ${editKey}` },
  });
  faults.rates = {};
  assertEquals(status, 200);
  assertEquals(body.skill, { ...skill, title: "Renamed", votes: 1 });
});
