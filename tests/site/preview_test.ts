import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { setSwitches } from "@/lib/switches.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { skillBody } from "../support/skills.ts";

const PROJECT = {
  name: "Lighthouse",
  url: "lighthouse.example.org",
  tagline: "Turns, and is seen",
  description: "It **turns**.",
  pricing: "free",
};

async function preview(app: TestApp, path: string, fields: Record<string, string>) {
  const response = await app.request(path, { form: { ...fields, preview: "1" } });
  const html = await response.text();
  const [shown = null] = /<section class="preview".*?<\/section>/s.exec(html) ?? [];
  return { status: response.status, headers: response.headers, html, shown };
}

Deno.test("a project's preview shows the result, keeps the form and stores nothing", async () => {
  await using app = await testApp();
  for (let n = 0; n < 7; n++) {
    const { status, headers, html, shown } = await preview(app, "/submit", PROJECT);
    assertEquals([status, headers.get("cache-control")], [200, "private, no-store"]);
    assertStringIncludes(shown!, "It <strong>turns</strong>.");
    assertStringIncludes(shown!, `${app.deps.urls.base}/p/lighthouse`);
    assertStringIncludes(html, 'value="Turns, and is seen"');
  }
  assertEquals(app.deps.catalogue.size, 0);
  const { editKey: _, ...fields } = PROJECT as Record<string, string>;
  assertEquals((await app.request("/submit", { form: fields })).status, 201, "nothing was counted");
});

Deno.test("a project's preview reports the same problems as its submission", async () => {
  await using app = await testApp();
  const wrong = await preview(app, "/submit", { ...PROJECT, name: "", tags: "No!" });
  assertEquals([wrong.status, wrong.shown], [400, null]);
  assertStringIncludes(wrong.html, 'id="name-problem"');
  await app.json("/api/v1/projects", {
    json: { ...PROJECT, url: "https://lighthouse.example.org" },
  });
  const taken = await preview(app, "/submit", PROJECT);
  assertEquals([taken.status, taken.shown], [409, null]);
  await setSwitches(app.deps.store, { submissionsPaused: true });
  assertEquals((await preview(app, "/submit", { ...PROJECT, url: "b.example.org" })).status, 503);
});

Deno.test("a skill's preview shows its rendered content and stores nothing", async () => {
  await using app = await testApp();
  const fields = skillBody({
    title: "Walk well",
    content: "# Steps\n\n1. Look left\n2. Look right",
  });
  const form = Object.fromEntries(Object.entries(fields).map(([k, v]) => [k, String(v)]));
  const { status, shown } = await preview(app, "/skills/submit", form);
  assertEquals(status, 200);
  assertStringIncludes(shown!, "<li>Look left</li>");
  assert(!app.deps.skills.has("walk-well"));
});
