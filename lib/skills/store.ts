import { counterValue, type Store } from "../kv/store.ts";
import { skillKeys } from "./keys.ts";
import type { SkillCounts } from "./public.ts";
import type { StoredSkill } from "./schema.ts";
import { voteKeys } from "../votes/keys.ts";

/** All that KV holds of one skill, as of one moment. */
export interface SkillRecord {
  stored: StoredSkill;
  content: string;
  counts: SkillCounts;
}

/** Reads a skill in whatever state; null where there is none. */
export async function readSkill(store: Store, slug: string): Promise<SkillRecord | null> {
  const [record, content, copies, up, down] = await store.getMany<unknown>([
    skillKeys.one(slug),
    skillKeys.content(slug),
    skillKeys.copies(slug),
    voteKeys.count("skill", slug, "up"),
    voteKeys.count("skill", slug, "down"),
  ]);
  if (record!.value === null) return null;
  return {
    stored: record!.value as StoredSkill,
    content: content!.value as string,
    counts: { votes: counterValue(up!) - counterValue(down!), copies: counterValue(copies!) },
  };
}
