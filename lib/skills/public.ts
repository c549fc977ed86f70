import { isoTime } from "../clock.ts";
import { publicVerified } from "../entries/verified.ts";
import { paths, type Urls } from "../urls.ts";
import { installOf } from "./install.ts";
import type { PublicSkill, StoredSkill } from "./schema.ts";

/** What a skill shows besides its record. */
export interface SkillCounts {
  votes: number;
  copies: number;
}

/** A stored skill without its private fields. */
export type ShownSkill = Omit<StoredSkill, "state" | "keyHash" | "contentKey" | "network">;

/** Makes a skill's public form. It names each field, so no private one can leak. */
export function toPublicSkill(stored: ShownSkill, counts: SkillCounts, urls: Urls): PublicSkill {
  const { slug } = stored;
  return {
    slug,
    title: stored.title,
    summary: stored.summary,
    kind: stored.kind,
    category: stored.category,
    worksWith: stored.worksWith,
    tags: stored.tags,
    installHint: stored.installHint,
    author: stored.author,
    license: stored.license,
    origin: stored.origin,
    sourceUrl: stored.sourceUrl,
    submittedBy: stored.submittedBy,
    signedBy: stored.signedBy ?? null,
    verified: stored.verified ? publicVerified(stored.verified) : null,
    votes: counts.votes,
    copies: counts.copies,
    characters: stored.characters,
    sha256: stored.sha256,
    ...installOf(stored, urls),
    createdAt: isoTime(stored.createdAt),
    updatedAt: isoTime(stored.updatedAt),
    page: urls.to(paths.skill(slug)),
    apiUrl: urls.to(paths.apiSkill(slug)),
    rawUrl: urls.to(paths.apiSkillRaw(slug)),
  };
}
