import { assertEquals } from "@std/assert";
import type { News } from "@/lib/kv/store.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";
import { storedSkill } from "../support/stored_skill.ts";
import { until } from "../support/until.ts";

Deno.test("a listing is similar to up to six whose tags and tagline say the same", async () => {
  await using app = await testApp();
  const add = async (fields: Record<string, unknown>) =>
    (await submit(app, { tagline: "Fun", ...fields })).project.slug as string;
  const also = (slug: string) => app.deps.catalogue.alike(slug).map((other) => other.slug);

  const first = await add({ tags: ["chess", "board"], tagline: "Play against friends" });
  assertEquals([also(first), also("unknown")], [[], []]);
  await add({ tags: ["chess"] });
  const both = await add({ tags: ["board", "chess"] });
  const said = await add({ tagline: "Chess with friends" });
  const other = await add({ tags: ["go"], tagline: "Stones" });
  assertEquals(also(first), [both, said], "one that shares only half as much isn't similar");
  assertEquals(also(other), []);

  for (let i = 0; i < 9; i++) await add({ tagline: "Paint by numbers" });
  assertEquals(also(await add({ tagline: "Paint by numbers" })).length, 6);
});

Deno.test("a skill's page links to similar ones", async () => {
  await using app = await testApp();
  const add = async (title: string, fields: Record<string, unknown>) =>
    (await share(app, { title, summary: "S", content: `${title} and read it all.`, ...fields }))
      .slug;
  const first = await add("Anvil care", { tags: ["git"] });
  const page = () => app.text(`/skills/${first}`);
  assertEquals((await page()).includes("See also"), false);
  const titled = await add("Clean an anvil", {});
  const tagged = await add("Commits", { tags: ["git"] });
  await add("Other", { tags: ["tea"] });
  const [section] = /<section aria-labelledby="also".*?<\/section>/.exec(await page())!;
  assertEquals(
    [...section.matchAll(/href="([^"]+)"/g)].map(([, path]) => path),
    [titled, tagged].map((slug) => `/skills/${slug}`),
  );
});

Deno.test("a listing's page links to its category and others, labels paid ones and drops hidden ones", async () => {
  await using app = await testApp();
  const fields = { category: "game", tags: ["chess"] };
  const { project: { slug } } = await submit(app, fields);
  const page = () => app.text(`/p/${slug}`);
  assertEquals((await page()).includes("See also"), false);
  const { project: other } = await submit(app, fields);
  const { clock, catalogue } = app.deps;
  const span = { startsAt: clock.now() - 1, endsAt: clock.now() + 1000 };
  catalogue.setPromotion(other.slug, [{ ...span, tierId: "bump-3" }]);
  const [section] = /<section aria-labelledby="also".*?<\/section>/.exec(await page())!;
  assertEquals(
    [...section.matchAll(/href="([^"]+)"/g)].map(([, path]) => path),
    ["/c/game", `/p/${other.slug}`],
  );
  assertEquals(section.includes('<span class="label paid">Promoted</span>'), true);
  await moveListing(app.deps, { slug: other.slug, step: "hide" });
  assertEquals((await page()).includes("See also"), false);
  await submit(app, { ...fields, category: "design" });
  const text = await page();
  assertEquals([text.includes("See also"), text.includes("All in")], [true, false]);
});

Deno.test("a listing without similar ones links to hot ones, but not to itself", async () => {
  await using app = await testApp();
  const add = async (tagline: string) => (await submit(app, { tagline })).project.slug as string;
  const slugs = [];
  for (const tagline of ["Chess", "Soup", "Kites", "Maps", "Tea", "Clay"]) {
    slugs.push(await add(tagline));
  }
  const html = await app.text(`/p/${slugs[0]}`);
  const [section] = /<section aria-labelledby="also".*?<\/section>/.exec(html)!;
  const linked = [...section.matchAll(/href="([^"]+)"/g)].map(([, path]) => path!);
  assertEquals([linked.length, linked.includes(`/p/${slugs[0]}`)], [4, false]);
});

Deno.test("similar entries are found after many changes at once, without a search", async () => {
  await using app = await testApp();
  const { skills, store } = app.deps;
  for (let i = 0; i < 600; i++) {
    const stored = storedSkill(`skill-${i}`, { title: "Planner" });
    const at = stored.createdAt;
    const change = { id: `${i}`, at, kind: "skill", slug: stored.slug, event: "created" };
    store.tell({ type: "change", change, payload: stored } as News);
  }
  assertEquals(skills.alike("skill-0"), []);
  await until("all texts are indexed", () => skills.unindexed === 0);
  assertEquals(skills.alike("skill-0").length, 6);
});
