import { assertEquals } from "@std/assert";
import type { TestApp, TestRequest } from "./app.ts";
import { addressOf } from "./listings.ts";

let serial = 0;

/** A valid skill with different content in each call. */
export function skillBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  serial++;
  return {
    title: "Changelog writer",
    summary: "Writes a changelog entry from commits",
    kind: "skill-md",
    content: `# Changelog writer ${serial}\n\nGroup the commits since the last tag.\n`,
    ...fields,
  };
}

/** Shares a skill from its own network; returns its record and edit key. */
export async function share(
  app: TestApp,
  fields: Record<string, unknown> = {},
  options: TestRequest = {},
) {
  const json = skillBody(fields);
  const { status, body } = await app.json("/api/v1/skills", {
    json,
    address: addressOf(serial),
    ...options,
  });
  assertEquals(status, 201, JSON.stringify(body));
  return { skill: body.skill, slug: body.skill.slug as string, editKey: body.editKey as string };
}
