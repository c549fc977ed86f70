import { assert, assertEquals, assertMatch } from "@std/assert";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { operator, operatorJson } from "../support/operator.ts";
import { share } from "../support/skills.ts";

Deno.test("operator rekey replaces the edit key of a listing or skill, and is logged", async () => {
  await using app = await testApp();
  const listing = await submit(app);
  const skill = await share(app);
  const entries = [
    {
      area: "listings",
      path: `projects/${listing.project.slug}`,
      ...listing.project,
      old: listing.editKey,
      patch: { tagline: "Another" },
    },
    {
      area: "skills",
      path: `skills/${skill.skill.slug}`,
      ...skill.skill,
      old: skill.editKey,
      patch: { summary: "Another" },
    },
  ];
  for (const { area, path, slug, old, patch } of entries) {
    const edit = async (editKey: string) =>
      (await app.json(`/api/v1/${path}`, { method: "PATCH", json: patch, editKey })).status;
    const dry = await operator(app, area, "rekey", slug, "--dry-run");
    const says = `Dry run: nothing was written\n${slug} gets a new edit key\n`;
    assertEquals([dry.status, dry.stdout], [0, says], "it shows no key, which would not work");
    assert(
      !(await operator(app, area, "rekey", slug, "--dry-run", "--json")).stdout.includes("pik_"),
    );
    assertEquals(await edit(old), 200, "a dry run changes nothing");
    const { editKey } = await operatorJson(app, area, "rekey", slug);
    assertMatch(editKey, /^pik_[\w-]{43}$/);
    assertEquals([await edit(old), await edit(editKey)], [403, 200]);
    assertEquals((await operator(app, area, "rekey", "nobody")).status, 1);
  }
  const { actions } = (await app.json("/api/v1/operator-log")).body;
  assertEquals(actions.map(({ kind }: { kind: string }) => kind), [
    "skill_rekeyed",
    "listing_rekeyed",
  ]);
});
