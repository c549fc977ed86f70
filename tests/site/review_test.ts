import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { moveListing } from "@/lib/operator/listings.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { setSwitches } from "@/lib/switches.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { callTool } from "../support/mcp.ts";
import { share } from "../support/skills.ts";

/** The texts of every surface that says when a listing goes live. */
async function said(app: TestApp): Promise<[surface: string, text: string][]> {
  const { content } = await callTool(app, "where_to_promote", {});
  const texts = {
    "/index.md": await app.text("/index.md"),
    "/submit": await app.text("/submit"),
    "/submit.md": await app.text("/submit.md"),
    "/about.md": await app.text("/about.md"),
    "/api/v1/help": (await app.json("/api/v1/help")).body.brief.ownerBenefits.join("\n"),
    "where_to_promote": content[0].text,
  };
  return Object.entries(texts).map(([surface, text]) => [surface, text.replaceAll(/\s+/g, " ")]);
}

Deno.test("every surface correctly says when a listing goes live, even under review and while paused", async () => {
  await using app = await testApp();
  for (const [surface, text] of await said(app)) {
    assertStringIncludes(text, "live immediately", surface);
  }
  for (
    const [switches, expected] of [
      [{ review: true }, /live once approved/],
      [
        { submissionsPaused: true },
        /submissions (are paused|open again)|operator has paused/,
      ],
    ] as const
  ) {
    await setSwitches(app.deps.store, switches);
    app.clock.advance(1_000);
    for (const [surface, text] of await said(app)) {
      assert(!text.includes("live immediately"), surface);
      assertMatch(text, expected, surface);
    }
  }
  for (const [surface, text] of await said(app)) {
    assert(!text.includes("approved"), surface);
  }
});

Deno.test("the badge is offered after submission only if the listing is live, not while it waits for review", async () => {
  await using app = await testApp();
  for (const [review, badges] of [[false, 3], [true, 0]] as const) {
    await setSwitches(app.deps.store, { review });
    app.clock.advance(1_000);
    const form = {
      name: "Inkwell",
      url: `https://inkwell${badges}.dev`,
      tagline: "A notebook that answers back",
    };
    const response = await app.request("/submit", { form });
    assertEquals(response.status, 201);
    assertEquals((await response.text()).match(/badge\.svg/g)?.length ?? 0, badges);
  }
});

Deno.test("submitting a duplicate of a hidden entry doesn't link to it", async () => {
  await using app = await testApp();
  const { project: { slug, url } } = await submit(app);
  const shared = await share(app);
  const listing = { name: "Again", url, tagline: "Twice" };
  const { title, summary, kind, content } = (await app.json(`/api/v1/skills/${shared.slug}`)).body
    .skill;
  const seen = async () => {
    const texts = [];
    for (
      const [path, form] of [
        ["/submit", listing],
        ["/skills/submit", { title, summary, kind, content }],
      ] as const
    ) {
      const response = await app.request(path, { form });
      assertEquals(response.status, 409);
      texts.push(/<p class="notice">(.*?)<\/p>/s.exec(await response.text())![1]!);
    }
    return texts.map((text) => [text.includes("href="), /not public|was hidden/.test(text)]);
  };
  assertEquals(await seen(), [[true, false], [true, false]]);
  await moveListing(app.deps, { slug, step: "hide" });
  await setSkillHidden(app.deps, { slug: shared.slug, hidden: true });
  assertEquals(await seen(), [[false, true], [false, true]]);
});

Deno.test("a pending listing's edit form shows its fields only with the edit key", async () => {
  await using app = await testApp();
  await setSwitches(app.deps.store, { review: true });
  const { project: { slug }, editKey } = await submit(app, { name: "Inkwell", tagline: "Typoo" });
  const path = `/p/${slug}/edit`;
  const send = async (form?: Record<string, string>) => {
    const response = await app.request(path, { form });
    assertMatch(response.headers.get("cache-control")!, /no-store/);
    return { response, text: await response.text() };
  };
  for (
    const [form, status] of [
      [undefined, 200],
      [{ unlock: "1" }, 403],
      [{ unlock: "1", editKey: "pik_wrong" }, 403],
      [{ editKey: "pik_wrong", name: "Other" }, 403],
    ] as const
  ) {
    const { response, text } = await send(form);
    assertEquals([response.status, text.includes("Typoo")], [status, false], JSON.stringify(form));
    assertStringIncludes(text, "waiting for review");
  }
  const opened = (await send({ unlock: "1", editKey })).text;
  assertMatch(opened, /<input id="tagline"[^>]* value="Typoo"/);
  assertEquals(opened.includes(editKey), false);

  const { url } = (await submit(app)).project;
  const typed = { name: "Inkwell", url, tagline: "Mended" };
  const refused = await send({ ...typed, editKey });
  assertEquals(refused.response.status, 409);
  assertStringIncludes(refused.text, 'value="Mended"');
  const saved = await send({ ...typed, url: "https://mended.example.com", editKey });
  assertEquals(saved.response.status, 303);
  assertEquals(saved.response.headers.get("location"), `http://projectory.test${path}#saved`);
  assertMatch((await send()).text, /<p id="saved"[^>]*>Saved\./);
  assertEquals((await app.request(`/p/${slug}`)).status, 404);
  await moveListing(app.deps, { slug, step: "approve" });
  assertEquals((await app.json(`/api/v1/projects/${slug}`)).body.project.tagline, "Mended");
  assertEquals((await app.request(path)).status, 200);
  const meanwhile = await send({ unlock: "1", editKey });
  assertEquals(meanwhile.response.headers.get("location"), `http://projectory.test${path}`);
  await moveListing(app.deps, { slug, step: "hide" });
  assertEquals((await app.request(path)).status, 404);
});

Deno.test("the submit page loads while storage can't tell whether review is on", async () => {
  await using app = await testApp();
  app.deps.store.get = () => Promise.reject(new Error("away"));
  const response = await app.request("/submit");
  assertEquals(response.status, 200);
  assertStringIncludes(await response.text(), "Only name, URL and tagline are required");
});

Deno.test("while storage hangs, texts use the last known review setting and promise nothing without one", async () => {
  for (
    const [wasKnown, expected] of [
      [false, "the project goes live immediately unless review is on"],
      [true, "the project goes live once approved"],
    ] as const
  ) {
    await using app = await testApp();
    await setSwitches(app.deps.store, { review: true });
    if (wasKnown) await app.json("/api/v1/help");
    app.clock.advance(1_000);
    app.deps.store.get = () => new Promise(() => {});
    const { status, body } = await app.json("/api/v1/help");
    assertEquals(status, 200);
    assertStringIncludes(body.brief.ownerBenefits[0], expected);
  }
});
