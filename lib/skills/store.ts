import { counterValue, pairValue, type Store } from "../kv/store.ts";
import { voteKeys } from "../votes/keys.ts";
import { skillKeys } from "./keys.ts";
import type { SkillCounts } from "./public.ts";
import type { StoredSkill, StoredVersion } from "./schema.ts";
import { type StoredText, unpackText } from "./stored_text.ts";
import { type KeptVersion, readHistory } from "./versions.ts";

/** Everything in KV about one skill. What its versions changed is read after the rest. */
export interface SkillRecord {
  stored: StoredSkill;
  content: string;
  counts: SkillCounts;
  history: KeptVersion[];
}

/** Reads a skill in any state; null if there is none. */
export async function readSkill(store: Store, slug: string): Promise<SkillRecord | null> {
  const [record, content, history, ...counts] = await store.getMany<unknown>([
    skillKeys.one(slug),
    skillKeys.content(slug),
    skillKeys.history(slug),
    ...countKeys(slug),
  ]);
  const stored = record!.value as StoredSkill | null;
  return stored && {
    stored,
    content: unpackText((content!.value ?? "") as StoredText),
    counts: countsOf(counts),
    history: await readHistory(store, stored, history!.value as StoredVersion[] | null),
  };
}

/** Reads a skill's votes and copies. */
export async function readCounts(store: Store, slug: string): Promise<SkillCounts> {
  return countsOf(await store.getMany<unknown>(countKeys(slug)));
}

function countKeys(slug: string): Deno.KvKey[] {
  return [
    skillKeys.copies(slug),
    voteKeys.count("skill", slug, "up"),
    voteKeys.count("skill", slug, "down"),
  ];
}

function countsOf([copies, up, down]: Deno.KvEntryMaybe<unknown>[]): SkillCounts {
  return { votes: pairValue(up!, down!), copies: counterValue(copies!) };
}
