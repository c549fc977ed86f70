import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import { notFound } from "../errors.ts";
import type { Deps } from "./deps.ts";
import type { FullSkill, SkillVersion } from "./schema.ts";
import { getSkill } from "./service.ts";

/**
 * The maximum number of changed lines to compare. The time grows with their square: a tenth of a
 * second for this many.
 */
const COMPARED_MAX = 400;

/** A version of a skill, and what it changed. */
interface ComparedVersion {
  /** With that version's content. */
  skill: FullSkill;
  version: SkillVersion;
  /** The kept version before it; null if there is none. */
  before: SkillVersion | null;
  /** What changed since then, as a unified diff; "" without an earlier version. */
  diff: string;
}

/** Compares a version of a live skill with the one before. Throws `not_found`. */
export async function compareVersion(
  deps: Deps,
  slug: string,
  sha256?: string,
): Promise<ComparedVersion> {
  const skill = await getSkill(deps, slug, sha256);
  const at = skill.history.findIndex((version) => version.sha256 === skill.sha256);
  // It was dropped between two reads.
  if (at === -1) throw notFound(`Skill ${slug} has no version with this SHA-256`);
  const before = skill.history[at + 1] ?? null;
  const older = before && await getSkill(deps, slug, before.sha256);
  return {
    skill,
    version: skill.history[at]!,
    before,
    diff: older === null ? "" : unifiedDiff(older, skill),
  };
}

type Text = Pick<FullSkill, "sha256" | "content">;

/** A unified diff of two contents. If too much changed, all lines of both. */
export function unifiedDiff(older: Text, newer: Text): string {
  const [from, to] = [older, newer].map(({ sha256 }) => sha256.slice(0, 12)) as [string, string];
  const compare = (context: number, maxEditLength: number) =>
    structuredPatch(from, to, older.content, newer.content, undefined, undefined, {
      context,
      maxEditLength,
    });
  const patch = compare(3, COMPARED_MAX) ?? {
    oldFileName: from,
    newFileName: to,
    oldHeader: undefined,
    newHeader: undefined,
    index: undefined,
    hunks: [wholeHunk(older.content, newer.content)],
  };
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

function wholeHunk(older: string, newer: string) {
  const marked = (text: string, mark: string) => text.split("\n").map((line) => mark + line);
  const [removed, added] = [marked(older, "-"), marked(newer, "+")];
  return {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...removed, ...added],
  };
}
