import { assertEquals } from "@std/assert";
import { seeAlso, seeAlsoSkills } from "@/lib/discovery/see_also.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";

Deno.test("seeAlso returns up to six listings with the same tags or category, most in common first", async () => {
  await using app = await testApp();
  const add = async (fields: Record<string, unknown>) =>
    (await submit(app, fields)).project.slug as string;
  const also = (slug: string) =>
    seeAlso(app.deps, app.deps.catalogue.get(slug)!).map((other) => other.slug);

  const alone = await add({});
  const first = await add({ category: "game", tags: ["chess", "board"] });
  assertEquals([also(alone), also(first)], [[], []]);

  const shelf = await add({ category: "game" });
  const tagged = await add({ category: "design", tags: ["chess"] });
  const both = await add({ category: "game", tags: ["board", "chess"] });
  await add({ category: "design", tags: ["go"] });
  assertEquals(also(first), [both, tagged, shelf]);
  assertEquals(also(alone), []);
  assertEquals(also(shelf).toSorted(), [first, both].toSorted());

  for (let i = 0; i < 9; i++) await add({ category: "game" });
  assertEquals(also(first).length, 6);
  assertEquals(also(first)[0], both);
});

Deno.test("seeAlsoSkills returns skills with the same tags, category or kind, and the page links to them", async () => {
  await using app = await testApp();
  const add = async (title: string, fields: Record<string, unknown>) => {
    const { body } = await app.json("/api/v1/skills", {
      json: {
        title,
        summary: "S",
        kind: "prompt",
        content: `${title} and read it all.`,
        ...fields,
      },
    });
    return body.skill.slug as string;
  };
  const first = await add("First", { tags: ["git"], category: "releases" });
  const page = () => app.text(`/skills/${first}`);
  assertEquals((await page()).includes("See also"), false);
  const kind = await add("Kind", {});
  const shelf = await add("Shelf", { kind: "workflow", category: "releases" });
  const both = await add("Both", { tags: ["git"] });
  await add("Other", { kind: "workflow", tags: ["tea"] });
  const also = seeAlsoSkills(app.deps, app.deps.skills.get(first)!);
  assertEquals(also.map(({ slug }) => slug), [both, shelf, kind]);
  const [section] = /<section aria-labelledby="also".*?<\/section>/.exec(await page())!;
  assertEquals(
    [...section.matchAll(/href="([^"]+)"/g)].map(([, path]) => path),
    [both, shelf, kind].map((slug) => `/skills/${slug}`),
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
  catalogue.setPromotion(other.slug, [{ ...span, tierId: "bump-3", name: "Bump" }]);
  const [section] = /<section aria-labelledby="also".*?<\/section>/.exec(await page())!;
  assertEquals(
    [...section.matchAll(/href="([^"]+)"/g)].map(([, path]) => path),
    ["/c/game", `/p/${other.slug}`],
  );
  assertEquals(section.includes('<span class="label paid">Promoted</span>'), true);
  await moveListing(app.deps, { slug: other.slug, step: "hide" });
  assertEquals((await page()).includes("See also"), false);
});
