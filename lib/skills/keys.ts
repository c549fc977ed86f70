import { entryKey, entryKeys } from "../entries/keys.ts";

/**
 * Keys of skills; those of records are in `lib/entries/keys.ts`, of votes in
 * `lib/votes/keys.ts`.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["skill_contents", slug] | `StoredText`, byte for byte as submitted | create, edit |
 * | ["skills_by_content", digest of the compared form] | slug | create, edit |
 * | ["skill_versions", slug, SHA-256] | `StoredText`: content that an edit replaced | edit |
 * | ["skill_histories", slug] | `StoredVersion[]`, at most 40, the newest first; none before the first edit | edit |
 * | ["skill_steps", slug, SHA-256] | `StoredStep`: what a version changed | edit |
 * | ["skill_installs", slug, SHA-256] | true: the version was installed; expires | `countCopy`, `noteInstall` |
 * | ["skill_suffixes", slug base] | next number to try for a title taken before | create |
 * | ["skill_copy_counts", slug] | u64 | `countCopy` |
 * | ["skill_copiers", slug, UTC day, network or IPv6 /48] | `DayVoters`: who counted that day; expires | `countCopy` |
 */
export const skillKeys = {
  all: entryKeys.skill,
  one: (slug: string) => entryKey("skill", slug),
  content: (slug: string) => ["skill_contents", slug],
  version: (slug: string, sha256: string) => ["skill_versions", slug, sha256],
  versions: ["skill_versions"],
  step: (slug: string, sha256: string) => ["skill_steps", slug, sha256],
  installed: (slug: string, sha256: string) => ["skill_installs", slug, sha256],
  histories: ["skill_histories"],
  history: (slug: string) => ["skill_histories", slug],
  byContent: (digest: string) => ["skills_by_content", digest],
  allByContent: ["skills_by_content"],
  suffix: (base: string) => ["skill_suffixes", base],
  copies: (slug: string) => ["skill_copy_counts", slug],
  allCopies: ["skill_copy_counts"],
  copiers: (slug: string, day: string, holder: string) => ["skill_copiers", slug, day, holder],
} as const;
