import { DAY_MS, isoTime } from "../clock.ts";
import { notFound } from "../errors.ts";
import type { Store, Tx } from "../kv/store.ts";
import { LIMITS } from "../limits.ts";
import { plural } from "../text/count.ts";
import { type SkillFacts, skillFacts } from "./facts.ts";
import { skillKeys } from "./keys.ts";
import type { SkillVersion, StoredSkill, StoredVersion } from "./schema.ts";

/** How long a page marks an edit that added commands or links. */
const MARKED_MS = 7 * DAY_MS;
/** The most added facts of a kind that a version names. */
const NAMED = 10;

type Changed = StoredVersion["added"];

/** What facts have that others have not; each kind is compared by its quoted texts. */
function beyond(facts: SkillFacts, others: SkillFacts): Changed {
  const lacking = (texts: string[], known: string[]) => {
    const seen = new Set(known);
    return [...new Set(texts)].filter((text) => !seen.has(text)).slice(0, NAMED);
  };
  const textOf = ({ text }: { text: string }) => text;
  const urlOf = ({ url }: { url: string }) => url;
  return {
    commands: lacking(facts.commands.items.map(textOf), others.commands.items.map(textOf)),
    links: lacking(facts.urls.items.map(urlOf), others.urls.items.map(urlOf)),
    secrets: lacking(facts.secrets.items.map(textOf), others.secrets.items.map(textOf)),
  };
}

/** How many lines a text has that another lacks, each as often as it stands there. */
function linesBeyond(text: string, other: string): number {
  const left = new Map<string, number>();
  for (const line of other.split("\n")) left.set(line, (left.get(line) ?? 0) + 1);
  let beyond = 0;
  for (const line of text.split("\n")) {
    const count = left.get(line) ?? 0;
    if (count === 0) beyond++;
    else left.set(line, count - 1);
  }
  return beyond;
}

/**
 * Keeps the content that an edit replaces, and notes what is new in the one that replaces it. At
 * most 20 versions are kept, the oldest go first. Returns the versions, and what the log of changes
 * says.
 */
export async function keepVersion(
  tx: Tx,
  before: { stored: StoredSkill; content: string },
  after: { sha256: string; content: string; now: number },
): Promise<{ versions: StoredVersion[]; note: string }> {
  const { stored, content } = before;
  const { slug } = stored;
  const { key, value } = await tx.get<StoredVersion[]>(skillKeys.history(slug));
  const history = value ?? [first(stored)];
  const [old, new_] = [skillFacts(content, ""), skillFacts(after.content, "")];
  const version: StoredVersion = {
    sha256: after.sha256,
    at: after.now,
    added: beyond(new_, old),
    removed: beyond(old, new_),
    lines: [linesBeyond(after.content, content), linesBeyond(content, after.content)],
  };
  // A content that comes back is the newest version once more, and no older one.
  const versions = [version, ...history.filter(({ sha256 }) => sha256 !== after.sha256)];
  for (const { sha256 } of versions.splice(LIMITS.skillVersions)) {
    tx.delete(skillKeys.version(slug, sha256));
  }
  tx.set(key, versions);
  tx.set(skillKeys.version(slug, stored.sha256), content);
  tx.delete(skillKeys.version(slug, after.sha256));
  return { versions, note: noteOf(version) };
}

/** Deletes what is kept of earlier contents. */
export async function deleteVersions(tx: Tx, slug: string): Promise<void> {
  const { key, value } = await tx.get<StoredVersion[]>(skillKeys.history(slug));
  for (const { sha256 } of value ?? []) tx.delete(skillKeys.version(slug, sha256));
  tx.delete(key);
}

/** An edit in words: "content changed: +1 command, +1 link". */
function noteOf({ added, removed }: StoredVersion): string {
  const parts = ([["commands", "command"], ["links", "link"], ["secrets", "secret"]] as const)
    .flatMap(([kind, one]) => [
      added[kind].length > 0 ? `+${plural(added[kind].length, one)}` : null,
      removed[kind].length > 0 ? `-${plural(removed[kind].length, one)}` : null,
    ]).filter((part) => part !== null);
  return parts.length === 0 ? "content changed" : `content changed: ${parts.join(", ")}`;
}

/** The content of a skill that has a digest, now or before. Throws `not_found`. */
export async function contentOf(
  store: Store,
  current: { stored: StoredSkill; content: string },
  sha256: string,
): Promise<string> {
  const { stored, content } = current;
  if (stored.sha256 === sha256) return content;
  const { value } = await store.get<string>(skillKeys.version(stored.slug, sha256));
  if (value !== null) return value;
  throw notFound(
    `Skill ${stored.slug} has no version with this SHA-256; the last ${LIMITS.skillVersions} are kept`,
  );
}

/** The version of a skill that no edit has changed. */
function first({ sha256, createdAt }: Pick<StoredSkill, "sha256" | "createdAt">): StoredVersion {
  const none = { commands: [], links: [], secrets: [] };
  return { sha256, at: createdAt, added: none, removed: none, lines: [0, 0] };
}

/** The versions of a skill as they are shown, the newest first. */
export function shownHistory(
  stored: Pick<StoredSkill, "sha256" | "createdAt">,
  history: StoredVersion[] | null,
): SkillVersion[] {
  return (history ?? [first(stored)]).map(({ at, lines: [plus, minus], ...rest }) => ({
    ...rest,
    at: isoTime(at),
    lines: { added: plus, removed: minus },
  }));
}

/** The latest version if it added commands or links within the last seven days. */
export function recentAdditions(history: SkillVersion[], now: number): SkillVersion | null {
  const [latest] = history;
  if (latest === undefined || Date.parse(latest.at) < now - MARKED_MS) return null;
  return latest.added.commands.length + latest.added.links.length > 0 ? latest : null;
}
