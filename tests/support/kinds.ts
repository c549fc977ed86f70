import { assertEquals } from "@std/assert";
import { moveListing } from "@/lib/operator/listings.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import type { TestApp } from "./app.ts";
import { listingBody } from "./listings.ts";
import { skillBody } from "./skills.ts";

/** The two kinds of entries, for tests of what both have. */
export const KINDS = [
  {
    noun: "project",
    list: "/api/v1/projects",
    page: "/p/",
    form: "/submit",
    body: listingBody,
    /** A valid edit. */
    other: { tagline: "Another" },
    duplicate: "duplicate_url",
    setHidden: async (app: TestApp, slug: string, hidden: boolean) => {
      await moveListing(app.deps, { slug, step: hidden ? "hide" : "unhide" });
    },
  },
  {
    noun: "skill",
    list: "/api/v1/skills",
    page: "/skills/",
    form: "/skills/submit",
    body: skillBody,
    other: { summary: "Another" },
    duplicate: "duplicate_skill",
    setHidden: async (app: TestApp, slug: string, hidden: boolean) => {
      await setSkillHidden(app.deps, { slug, hidden });
    },
  },
] as const;

/** Submits an entry of a kind. */
export async function make(
  app: TestApp,
  { list, noun, body }: typeof KINDS[number],
): Promise<{ slug: string; editKey: string }> {
  const { status, body: made } = await app.json(list, { json: body() });
  assertEquals(status, 201, JSON.stringify(made));
  return { slug: made[noun].slug, editKey: made.editKey };
}
