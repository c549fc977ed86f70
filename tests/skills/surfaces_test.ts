import { assert, assertStringIncludes } from "@std/assert";
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

Deno.test("a shared skill is on every surface", async () => {
  await using app = await testApp();
  await share(app, { title: "Stays" });
  const before = await Promise.all(SURFACES.map((path) => app.request(path).then((r) => r.text())));
  for (const text of before) assert(!text.includes("findable-thing"));
  const { slug } = await share(app, { title: "Findable thing" });
  for (const path of SURFACES) {
    assertStringIncludes(await app.text(path), slug, path);
  }
});
