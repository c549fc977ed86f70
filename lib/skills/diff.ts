import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { notFound } from "../errors.ts";
import type { Deps } from "./deps.ts";
import type { FullSkill } from "./schema.ts";
import { getSkill } from "./service.ts";

/**
 * The maximum number of changed lines to compare. The time grows with their square: a tenth of a
 * second for this many.
 */
const COMPARED_MAX = 400;

/**
 * Compares a version of a live skill (by default the latest) with the one kept before it. Throws
 * `not_found`.
 */
export async function compareVersion(deps: Deps, slug: string, sha256?: string) {
  const skill = await getSkill(deps, slug, sha256);
  const at = skill.history.findIndex((version) => version.sha256 === skill.sha256);
  // It was dropped between two reads.
  if (at === -1) throw notFound(`Skill ${slug} has no version with this SHA-256`);
  const before = skill.history[at + 1] ?? null;
  const older = before && await getSkill(deps, slug, before.sha256);
  return {
    /** With that version's content. */
    skill,
    version: skill.history[at]!,
    /** Null if there is none. */
    before,
    /** What changed since then, as a unified diff; "" without an earlier version. */
    diff: older === null ? "" : unifiedDiff(older, skill),
  };
}

type Text = Pick<FullSkill, "sha256" | "content">;

/** A unified diff of two contents. If too much changed, all lines of both. */
export function unifiedDiff(older: Text, newer: Text): string {
  const [from, to] = [older, newer].map(({ sha256 }) => sha256.slice(0, 12)) as [string, string];
  const patch = createTwoFilesPatch(from, to, older.content, newer.content, undefined, undefined, {
    context: 3,
    maxEditLength: COMPARED_MAX,
    headerOptions: FILE_HEADERS_ONLY,
  });
  if (patch !== undefined) return patch;
  const removed = everyLine("-", older.content);
  const added = everyLine("+", newer.content);
  return [
    `--- ${from}`,
    `+++ ${to}`,
    `@@ -1,${removed.count} +1,${added.count} @@`,
    ...removed.lines,
    ...added.lines,
    "",
  ].join("\n");
}

/** Every line of a text, with its sign, as a diff has them. */
function everyLine(sign: "-" | "+", text: string): { count: number; lines: string[] } {
  const lines = text.split("\n").map((line) => sign + line);
  // There is no line after the last line break.
  if (text.endsWith("\n")) lines.pop();
  const { length: count } = lines;
  if (!text.endsWith("\n")) lines.push("\\ No newline at end of file");
  return { count, lines };
}
