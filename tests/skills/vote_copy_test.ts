import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { testApp } from "../support/app.ts";
import { failingKv } from "../support/kv_with.ts";
import { share } from "../support/skills.ts";

const path = "/api/v1/skills";

Deno.test("a copy counts once per voter per UTC day", async () => {
  await using app = await testApp({ now: "2026-03-04T23:59:59.999Z" });
  const { slug } = await share(app);
  const copy = async (userAgent: string) => {
    const { status, body } = await app.json(`${path}/${slug}/copy`, { method: "POST", userAgent });
    assertEquals(status, 200);
    return body;
  };
  assertEquals(await copy("a"), { ok: true, slug, copies: 1, counted: true });
  assertEquals(await copy("a"), { ok: true, slug, copies: 1, counted: false });
  assertEquals(await copy("b"), { ok: true, slug, copies: 2, counted: true });
  app.clock.advance(1);
  assertEquals(await copy("a"), { ok: true, slug, copies: 3, counted: true });
  assertEquals(await copy("a"), { ok: true, slug, copies: 3, counted: false });
  assertEquals((await app.json(`${path}/${slug}`)).body.skill.copies, 3);
});

Deno.test("concurrent copies count once per voter, and up to 25 a day per network", async () => {
  await using app = await testApp();
  const { slug } = await share(app);
  const copy = (userAgent: string) =>
    app.json(`${path}/${slug}/copy`, { method: "POST", userAgent });
  const same = await Promise.all(Array.from({ length: 20 }, () => copy("one")));
  assertEquals(same.filter(({ body }) => body.counted).length, 1);
  const many = await Promise.all(Array.from({ length: 60 }, (_, i) => copy(`ua-${i}`)));
  assertEquals(many.filter(({ body }) => body.counted).length, 24);
  assertEquals(app.deps.skills.get(slug)?.copies, 25);
  app.clock.advance(DAY_MS);
  assertEquals((await copy("ua-59")).body.counted, true);
});

Deno.test("copies from one IPv6 /48 share a cap of 100 a day, up to 25 per network", async () => {
  await using app = await testApp();
  const { slug } = await share(app);
  const counted = async (network: string, copies: number) => {
    const answers = await Promise.all(
      Array.from({ length: copies }, (_, i) =>
        app.json(`${path}/${slug}/copy`, {
          method: "POST",
          address: `2001:db8:${network}::${i.toString(16)}`,
          userAgent: `ua-${i}`,
        })),
    );
    return answers.filter(({ body }) => body.counted).length;
  };
  assertEquals(await counted("1:0", 30), 25);
  for (let i = 1; i < 4; i++) assertEquals(await counted(`1:${i}`, 25), 25);
  assertEquals(await counted("1:4", 25), 0);
  assertEquals(await counted("2:0", 25), 25);
});

Deno.test("copies return rate_limited after 120 per network in a rolling hour", async () => {
  await using app = await testApp();
  const { slug } = await share(app);
  for (let i = 0; i < 120; i++) {
    assertEquals((await app.request(`${path}/${slug}/copy`, { method: "POST" })).status, 200);
  }
  const over = await app.json(`${path}/${slug}/copy`, { method: "POST" });
  assertEquals([over.status, over.body.error.code], [429, "rate_limited"]);
  const file = await app.request(`/skills/${slug}/copy`, { method: "POST" });
  assertEquals(file.status, 200, "the download button still sends what it can no longer count");
  assert(file.headers.get("content-disposition")!.startsWith("attachment"));
});

Deno.test("the download button gets the file that it counted, even if storage then fails", async () => {
  const { kv, storage } = await failingKv();
  await using app = await testApp({ kv });
  const { slug, skill } = await share(app);
  app.deps.store.subscribe(() => storage.fails = true);
  const file = await app.request(`/skills/${slug}/copy`, { method: "POST" });
  assert(storage.fails);
  assertEquals(file.status, 200);
  assert((await file.text()).endsWith(skill.content));
});

Deno.test("copies of a missing or hidden skill are not_found", async () => {
  await using app = await testApp();
  const { slug } = await share(app);
  await setSkillHidden(app.deps, { slug, hidden: true });
  for (const missing of [slug, "never-was"]) {
    const answer = await app.json(`${path}/${missing}/copy`, { method: "POST" });
    assertEquals([answer.status, answer.body.error.code], [404, "not_found"]);
  }
});
