import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { testApp } from "../support/app.ts";
import { share } from "../support/skills.ts";

const SURFACES = [
  "/api/v1/skills",
  "/api/v1/skills?q=findable",
  "/api/v1/trending/full",
  "/skills",
  "/skills.md",
  "/skills/feed.xml",
  "/skills/feed.json",
  "/llms.txt",
  "/sitemap.xml",
  "/sitemaps/skills-1.xml",
];

Deno.test("a shared skill is on every surface, and a hidden one on none", async () => {
  await using app = await testApp();
  await share(app, { title: "Stays" });
  const before = await Promise.all(SURFACES.map((path) => app.request(path).then((r) => r.text())));
  for (const text of before) assert(!text.includes("findable-thing"));
  const { slug } = await share(app, { title: "Findable thing" });
  for (const path of SURFACES) {
    assertStringIncludes(await (await app.request(path)).text(), slug, path);
  }
  await setSkillHidden(app.deps, { slug, hidden: true });
  for (const path of SURFACES) {
    const response = await app.request(path);
    assertEquals(response.status, 200, path);
    assert(!(await response.text()).includes(slug), path);
  }
  const { body } = await app.json("/api/v1/changes");
  const ofSlug = body.changes.filter((change: { slug: string }) => change.slug === slug);
  assertEquals(ofSlug.length > 0, true);
  assert(!JSON.stringify(ofSlug).includes("Findable thing"));
});
