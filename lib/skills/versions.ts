import { DAY_MS, isoTime } from "../clock.ts";
import { notFound } from "../errors.ts";
import type { Store, Tx } from "../kv/store.ts";
import { LIMITS } from "../limits.ts";
import { plural } from "../text/count.ts";
import { paths, type Urls } from "../urls.ts";
import { mentionsIn, quoted } from "./facts.ts";
import { fileSummaryOf } from "./install.ts";
import { skillKeys } from "./keys.ts";
import type {
  ChangedFacts,
  FullSkill,
  SkillVersion,
  StoredSkill,
  StoredStep,
  StoredVersion,
} from "./schema.ts";
import { packText, type StoredText, unpackText } from "./stored_text.ts";

/** How long a page marks an edit that added commands, links or permissions. */
const MARKED_MS = 7 * DAY_MS;
/** How many added facts of each kind a version lists. */
const NAMED = 10;
const NONE: ChangedFacts = { commands: [], links: [], secrets: [], permissions: [] };
const NO_STEP: StoredStep = { added: NONE, removed: NONE, lines: [0, 0] };

/** What is kept about a version: when it began, its file's summary, and what it changed. */
export type KeptVersion = Required<StoredVersion> & StoredStep;

type Mentions = ReturnType<typeof mentionsIn>;

/** What some content mentions that other content lacks. */
function beyond(content: Mentions, other: Mentions): ChangedFacts {
  const lacking = <T>(kind: (of: Mentions) => T[], textOf: (item: T) => string) => {
    const known = new Set(kind(other).map(textOf));
    const texts = new Set(kind(content).map(textOf));
    return [...texts.difference(known)].slice(0, NAMED).map(quoted);
  };
  return {
    commands: lacking((of) => of.commands, ({ text }) => text),
    links: lacking((of) => of.urls, ({ url }) => url),
    secrets: lacking((of) => of.secrets, ({ text }) => text),
    permissions: lacking((of) => of.permissions, ({ text }) => text),
  };
}

/** How many lines a text has that another lacks, counting repeats. */
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

/** What one content changes about another. */
function stepBetween(before: string, after: string): StoredStep {
  const [old, new_] = [mentionsIn(before), mentionsIn(after)];
  return {
    added: beyond(new_, old),
    removed: beyond(old, new_),
    lines: [linesBeyond(after, before), linesBeyond(before, after)],
  };
}

/** A skill's versions, newest first. `listed` is null before its first edit. */
export async function readHistory(
  store: Store,
  stored: StoredSkill,
  listed: StoredVersion[] | null,
): Promise<KeptVersion[]> {
  if (listed === null) return [firstVersion(stored)];
  const steps = await store.getMany<StoredStep>(
    listed.map(({ sha256 }) => skillKeys.step(stored.slug, sha256)),
  );
  const summary = fileSummaryOf(stored);
  return listed.map((version, i) => ({ summary, ...version, ...(steps[i]!.value ?? NO_STEP) }));
}

/**
 * Keeps the content that an edit replaces, and notes what is new in the replacement. Keeps the last
 * 20 versions, and 20 earlier ones that were installed in the last 90 days. Returns the versions,
 * and the note for the change log.
 */
export async function keepVersion(
  tx: Tx,
  before: { stored: StoredSkill; content: string; history: KeptVersion[] },
  after: { stored: StoredSkill; content: string },
): Promise<{ history: KeptVersion[]; note: string }> {
  const { stored, content, history: earlier } = before;
  const { slug, sha256, updatedAt: at } = after.stored;
  const step = stepBetween(content, after.content);
  const all = [{ sha256, at, summary: fileSummaryOf(after.stored), ...step }, ...earlier];
  // If an edit restores earlier content, that version becomes the newest. The version that came
  // after it now follows the one that came before it.
  const was = all.findLastIndex((version) => version.sha256 === sha256);
  if (was > 0) all.splice(was, 1);
  const [next, last] = [all[was - 1], all[was]];
  if (next !== undefined && last !== undefined) {
    const contentOf = ({ sha256 }: KeptVersion) =>
      sha256 === stored.sha256 ? content : readContent(tx.store, slug, sha256);
    const joined = stepBetween(await contentOf(last), await contentOf(next));
    Object.assign(next, joined);
    tx.set(skillKeys.step(slug, next.sha256), joined);
  }
  const history = await keptOf(tx, slug, all);
  const kept = new Set(history);
  for (const version of all) {
    if (!kept.has(version)) deleteVersion(tx, slug, version.sha256);
  }
  const listed = history.map(({ sha256, at, summary }): StoredVersion => ({ sha256, at, summary }));
  tx.set(skillKeys.history(slug), listed);
  tx.set(skillKeys.step(slug, sha256), step);
  tx.set(skillKeys.version(slug, stored.sha256), packText(content));
  tx.delete(skillKeys.version(slug, sha256));
  return { history, note: noteOf(step) };
}

/** The versions to keep, out of all, newest first. */
async function keptOf(tx: Tx, slug: string, all: KeptVersion[]): Promise<KeptVersion[]> {
  const old = all.slice(LIMITS.skillVersions);
  const installs = await tx.store.getMany(
    old.map(({ sha256 }) => skillKeys.installed(slug, sha256)),
  );
  return [
    ...all.slice(0, LIMITS.skillVersions),
    ...old.filter((_, i) => installs[i]!.value !== null).slice(0, LIMITS.skillVersionsInstalled),
  ];
}

/** Deletes everything kept about earlier content. */
export async function deleteVersions(tx: Tx, { slug, sha256 }: StoredSkill): Promise<void> {
  const { key, value } = await tx.get<StoredVersion[]>(skillKeys.history(slug));
  for (const version of value ?? [{ sha256 }]) deleteVersion(tx, slug, version.sha256);
  tx.delete(key);
}

function deleteVersion(tx: Tx, slug: string, sha256: string): void {
  tx.delete(skillKeys.version(slug, sha256));
  tx.delete(skillKeys.step(slug, sha256));
  tx.delete(skillKeys.installed(slug, sha256));
}

const KINDS = [
  ["commands", "command"],
  ["links", "link"],
  ["secrets", "secret"],
  ["permissions", "permission"],
] as const;

/** Changed facts by count: "+1 command", "-2 links". */
function changes({ added, removed }: Pick<StoredStep, "added" | "removed">): string[] {
  return KINDS.flatMap(([kind, one]) => [
    added[kind].length > 0 ? `+${plural(added[kind].length, one)}` : null,
    removed[kind].length > 0 ? `-${plural(removed[kind].length, one)}` : null,
  ]).filter((part) => part !== null);
}

/** An edit in words: "content changed: +1 command, +1 link". */
function noteOf(step: StoredStep): string {
  return ["content changed", changes(step).join(", ")].filter(Boolean).join(": ");
}

/** What a version of a skill changed, in words: "+1 command, 3 lines added, 1 line removed". */
export function changedInWords(
  version: SkillVersion,
  { history, createdAt }: Pick<FullSkill, "history" | "createdAt">,
): string {
  const { added, removed } = version.lines;
  const isSameLines = added + removed === 0;
  // The first may be gone, or have come back as the newest.
  const isFirst = version.sha256 === history.at(-1)!.sha256 && version.at === createdAt;
  if (isSameLines && isFirst) return "first version";
  const lines = isSameLines
    ? ["lines reordered"]
    : [`${plural(added, "line")} added`, `${plural(removed, "line")} removed`];
  return [...changes(version), ...lines].join(", ");
}

/** A skill's earlier content with a given digest. Throws `not_found`. */
export async function readContent(store: Store, slug: string, sha256: string): Promise<string> {
  const { value } = await store.get<StoredText>(skillKeys.version(slug, sha256));
  if (value !== null) return unpackText(value);
  throw notFound(
    `Skill ${slug} has no version with this SHA-256. We keep the last ` +
      `${LIMITS.skillVersions}, plus earlier ones installed in the last 90 days`,
  );
}

/** The version of a skill that was never edited. */
export function firstVersion(stored: StoredSkill): KeptVersion {
  const { sha256, createdAt: at } = stored;
  return { sha256, at, summary: fileSummaryOf(stored), ...NO_STEP };
}

/** A skill's versions as shown, newest first. */
export function shownHistory(slug: string, history: KeptVersion[], urls: Urls): SkillVersion[] {
  return history.map(({ sha256, at, added, removed, lines }) => ({
    sha256,
    at: isoTime(at),
    added,
    removed,
    lines: { added: lines[0], removed: lines[1] },
    diffUrl: urls.to(paths.apiSkillDiff(slug, sha256)),
    page: urls.to(paths.skillVersion(slug, sha256)),
  }));
}

/** The facts that an edit added, by count, such as "1 command, 2 links". */
export function addedInWords({ added }: Pick<SkillVersion, "added">): string {
  return KINDS.filter(([kind]) => added[kind].length > 0)
    .map(([kind, one]) => plural(added[kind].length, one)).join(", ");
}

/**
 * The latest version that added commands, links or permissions within the last seven days, if later
 * ones haven't removed all of them.
 */
export function recentAdditions(history: SkillVersion[], now: number): SkillVersion | null {
  const listsOf = (facts: ChangedFacts) => [facts.commands, facts.links, facts.permissions];
  const gone = new Set<string>();
  for (const version of history) {
    if (Date.parse(version.at) < now - MARKED_MS) return null;
    // A full list may lack some.
    const isLeft = (texts: string[]) =>
      texts.length === NAMED || texts.some((text) => !gone.has(text));
    if (listsOf(version.added).some(isLeft)) return version;
    // Others may start like a text that was cut.
    for (const text of listsOf(version.removed).flat()) if (!text.endsWith("…")) gone.add(text);
  }
  return null;
}
