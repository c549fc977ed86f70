import type { StoredSkill } from "@/lib/skills/schema.ts";
import { TEST_NOW } from "./app.ts";

/** A live skill as stored in KV, without optional fields. */
export function storedSkill(slug: string, fields: Partial<StoredSkill> = {}): StoredSkill {
  return {
    slug,
    title: slug,
    summary: "What it does",
    kind: "prompt",
    category: null,
    worksWith: [],
    tags: [],
    installHint: null,
    author: null,
    license: null,
    origin: "original",
    sourceUrl: null,
    state: "live",
    keyHash: "",
    submittedBy: null,
    contentKey: slug,
    sha256: "0".repeat(64),
    fileSha256: "0".repeat(64),
    characters: 20,
    createdAt: TEST_NOW,
    updatedAt: TEST_NOW,
    ...fields,
  };
}
