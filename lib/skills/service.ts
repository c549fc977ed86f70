import { type Edit, requireEntryKey } from "../entries/edit_key.ts";
import { eventOf, isSameRecord, noEntry } from "../entries/entries.ts";
import { reservedSlugs } from "../entries/slugs.ts";
import { type NewEntry, previewSlug, reserve, submitEntry } from "../entries/submission.ts";
import { isStillProven } from "../entries/verified.ts";
import { DomainError, notFound, rejectProblems } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import { rateLimitQueue, spend } from "../http/rate_limit.ts";
import type { Tx } from "../kv/store.ts";
import { sha256 } from "../text/digest.ts";
import { slugBase } from "../text/slug.ts";
import { paths } from "../urls.ts";
import { keyOf, measured } from "./contents.ts";
import type { Deps } from "./deps.ts";
import { skillFacts } from "./facts.ts";
import { nameProblems } from "./file_name.ts";
import { skillFile } from "./install.ts";
import { skillKeys } from "./keys.ts";
import { toPublicSkill } from "./public.ts";
import {
  type FullSkill,
  originProblems,
  type SkillInput,
  type SkillPatch,
  type StoredSkill,
  type StoredVersion,
} from "./schema.ts";
import { readCounts, readSkill, type SkillRecord } from "./store.ts";
import { packText, type StoredText, unpackText } from "./stored_text.ts";
import {
  firstVersion,
  keepVersion,
  type KeptVersion,
  readContent,
  readHistory,
  shownHistory,
} from "./versions.ts";

/** Shares a skill, as `submitEntry` says. */
export function createSkill(
  deps: Deps,
  options: { input: SkillInput; caller: Caller; idempotencyKey?: string | null },
) {
  const { input } = options;
  const contentKey = keyOf(input.content);
  return submitEntry(deps, {
    ...options,
    ...neededBy(deps, input, contentKey),
    repeated: (slug) => sharedBefore(deps, slug),
    create(tx, own) {
      const stored = newSkill(options, { ...own, contentKey });
      tx.set(skillKeys.content(own.slug), packText(input.content));
      writeSkill(tx, stored, "created");
      return { skill: toNewPublic(deps, stored, input.content) };
    },
  });
}

/** A skill that an earlier submission made; null if it has since been taken down. */
async function sharedBefore(deps: Deps, slug: string) {
  const record = await readSkill(deps.store, slug);
  return record?.stored.state === "live" ? { skill: toFullPublic(deps, record) } : null;
}

/**
 * Shows what a submission would become, without writing or counting anything. Throws
 * `submissions_paused`, `duplicate_skill`.
 */
export async function previewSkill(
  deps: Deps,
  options: { input: SkillInput; caller: Caller },
): Promise<FullSkill> {
  const { input } = options;
  const contentKey = keyOf(input.content);
  const slug = await previewSlug(deps, neededBy(deps, input, contentKey));
  const own = { slug, keyHash: "", contentKey, now: deps.clock.now() };
  return toNewPublic(deps, newSkill(options, own), input.content);
}

/** What a new skill needs. */
function neededBy({ env }: Deps, { title }: SkillInput, contentKey: string) {
  const base = slugBase(title, { reserved: reservedSlugs(env, "index"), fallback: "skill" });
  return {
    kind: "skill",
    slugs: { base, recordKey: skillKeys.one, suffixKey: skillKeys.suffix },
    held: skillKeys.byContent(contentKey),
  } as const;
}

/** The record made from a submission. */
function newSkill(
  { input, caller: { agentName } }: { input: SkillInput; caller: Caller },
  { now, ...own }: NewEntry & { contentKey: string },
): StoredSkill {
  const { content, editKey: _, ...fields } = input;
  return {
    ...fields,
    author: fields.author ?? (fields.origin === "original" ? agentName : null),
    submittedBy: agentName,
    ...own,
    state: "live",
    ...measured({ ...fields, slug: own.slug }, content),
    createdAt: now,
    updatedAt: now,
  };
}

/** The public form of a skill without votes or copies yet. */
function toNewPublic(deps: Deps, stored: StoredSkill, content: string): FullSkill {
  const history = [firstVersion(stored)];
  return toFullPublic(deps, { stored, content, counts: { votes: 0, copies: 0 }, history });
}

/** One live skill with its content and facts, as stored now. Throws `not_found`. */
export async function getSkill(deps: Deps, slug: string, sha256?: string): Promise<FullSkill> {
  return toFullPublic(deps, await readVersion(deps, slug, sha256));
}

/** A live skill with the content of a given digest, by default the latest. Throws `not_found`. */
export async function readVersion(
  deps: Deps,
  slug: string,
  sha256?: string,
): Promise<SkillRecord> {
  const record = await readSkill(deps.store, slug);
  if (record?.stored.state !== "live") throw noEntry("skill");
  if (sha256 === undefined || sha256 === record.stored.sha256) return record;
  const content = await readContent(deps.store, slug, sha256);
  const stored = { ...record.stored, fileSummary: summaryIn(record.history, sha256) };
  return { ...record, content, stored: { ...stored, ...measured(stored, content) } };
}

/** The summary in the file of a known version. */
function summaryIn(history: KeptVersion[], digest: string): string | undefined {
  return history.find(({ sha256 }) => sha256 === digest)?.summary;
}

function toFullPublic(
  { urls }: Deps,
  { stored, content, counts, history }: SkillRecord,
): FullSkill {
  const { slug, sha256 } = stored;
  const isCurrent = history[0]!.sha256 === sha256;
  return {
    ...toPublicSkill(stored, counts, urls),
    ...(!isCurrent && { rawUrl: urls.to(paths.apiSkillRaw(slug, sha256)) }),
    content,
    facts: skillFacts(content, sha256),
    history: shownHistory(slug, history, urls),
  };
}

/** The SKILL.md that installs a live skill-md skill. Throws `not_found` for any other. */
export async function getSkillFile(deps: Deps, slug: string, sha256?: string): Promise<string> {
  const { stored, content } = await readVersion(deps, slug, sha256);
  if (stored.kind !== "skill-md") throw new DomainError("not_found");
  return skillFile(stored, content);
}

/**
 * Changes a skill. New content is reserved and the old one freed in the same transaction. Throws
 * `not_found`, `bad_edit_key` (a hidden skill has no key), `invalid_input` (third-party without
 * license and source), `duplicate_skill`, `rate_limited`, and what `readPatch` and `requireCurrent`
 * throw.
 */
export async function updateSkill(deps: Deps, edit: Edit<SkillPatch>): Promise<FullSkill> {
  const { slug, caller, readPatch, requireCurrent } = edit;
  await requireEntryKey(deps.store, "skill", edit);
  const patch = await readPatch();
  const now = deps.clock.now();
  const { network } = caller;
  return await deps.store.transact(async (tx) => {
    await spend(tx, { bucket: "edits", network, now });
    const [entry, text] = await tx.getMany<unknown>([skillKeys.one(slug), skillKeys.content(slug)]);
    const before = entry!.value as StoredSkill | null;
    if (before === null || before.state === "withdrawn") throw noEntry("skill");
    if (before.state === "hidden") throw new DomainError("bad_edit_key");
    const oldContent = unpackText(text!.value as StoredText);
    const { content = oldContent, ...fields } = patch;
    const changed = { ...before, ...fields };
    // The author was filled in only because the content counted as the submitter's own.
    const isDisowned = before.origin === "original" && changed.origin === "third-party";
    if (isDisowned && fields.author === undefined && before.author === before.submittedBy) {
      changed.author = null;
    }
    const isRenamed = fields.kind !== undefined || patch.content !== undefined;
    rejectProblems([
      ...originProblems(changed),
      ...(isRenamed ? nameProblems(changed.kind, content) : []),
    ]);
    // Read before writing: once it is stored, no read may fail.
    const counts = await readCounts(tx.store, slug);
    const versions = await tx.get<StoredVersion[]>(skillKeys.history(slug));
    let history = await readHistory(tx.store, before, versions.value);
    const shown = (stored: StoredSkill) => toFullPublic(deps, { stored, content, counts, history });
    if (isSameRecord(changed, before) && content === oldContent) return shown(before);
    requireCurrent?.(before.updatedAt);
    const contentKey = keyOf(content);
    if (contentKey !== before.contentKey) {
      tx.delete(skillKeys.byContent(before.contentKey));
      await reserve(tx, skillKeys.byContent(contentKey), { kind: "skill", slug });
    }
    tx.set(skillKeys.content(slug), packText(content));
    changed.fileSummary = summaryIn(history, sha256(content, "hex"));
    const stored = { ...changed, contentKey, ...measured(changed, content), updatedAt: now };
    const { verified } = stored;
    if (verified && !isStillProven(stored.sourceUrl, verified)) delete stored.verified;
    let note: string | undefined;
    if (stored.sha256 !== before.sha256) {
      const replaced = { stored: before, content: oldContent, history };
      ({ history, note } = await keepVersion(tx, replaced, { stored, content }));
    }
    writeSkill(tx, stored, "updated", note);
    return shown(stored);
  }, { queue: rateLimitQueue("edits", network) });
}

/**
 * Hides a skill from all public reads, or shows it again. False if it already was. Throws
 * `not_found`.
 */
export function setSkillHidden(
  deps: Deps,
  options: { slug: string; hidden: boolean },
): Promise<boolean> {
  const { slug, hidden } = options;
  return deps.store.transact(async (tx) => {
    const value = await readStored(tx, slug);
    if ((value.state === "hidden") === hidden) return false;
    writeSkill(tx, { ...value, state: hidden ? "hidden" : "live" }, hidden ? "hidden" : "unhidden");
    return true;
  });
}

/**
 * Deletes the names of a skill's author and submitter, in any state. False if it has none. Throws
 * `not_found`.
 */
export function forgetSkillAuthor(deps: Deps, slug: string): Promise<boolean> {
  return deps.store.transact(async (tx) => {
    const value = await readStored(tx, slug);
    if (value.author === null && value.submittedBy === null) return false;
    const stored = {
      ...value,
      author: null,
      submittedBy: null,
      signedBy: undefined,
      updatedAt: deps.clock.now(),
    };
    writeSkill(tx, stored, eventOf(value, "updated"));
    return true;
  });
}

/** A skill as the operator sees it, without the key's hash. Throws `not_found`. */
export async function showSkill(deps: Deps, slug: string): Promise<Omit<StoredSkill, "keyHash">> {
  const { keyHash: _, ...shown } = await deps.store.transact((tx) => readStored(tx, slug));
  return shown;
}

/** A skill that is not withdrawn, for the operator. */
async function readStored(tx: Tx, slug: string): Promise<StoredSkill> {
  const { value } = await tx.get<StoredSkill>(skillKeys.one(slug));
  if (value !== null && value.state !== "withdrawn") return value;
  throw notFound(`There is no skill with the slug ${slug}`);
}

/** Writes a skill and its log entry. */
export function writeSkill(tx: Tx, stored: StoredSkill, event: string, note?: string): void {
  const { slug } = stored;
  tx.set(skillKeys.one(slug), stored);
  tx.change({ kind: "skill", slug, event, ...(note && { note }) }, stored);
}
