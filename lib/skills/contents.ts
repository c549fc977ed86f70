import { DomainError } from "../errors.ts";
import type { Tx } from "../kv/store.ts";
import { lengthOf } from "../text/count.ts";
import { sha256 } from "../text/digest.ts";
import { folderOf } from "./file_name.ts";
import { skillFile } from "./install.ts";
import { skillKeys } from "./keys.ts";
import { comparedForm, type StoredSkill } from "./schema.ts";

/**
 * Reserves content for a skill and returns its key. Throws `duplicate_skill` if another skill, even
 * a hidden one, has it.
 */
export async function reserveContent(tx: Tx, content: string, slug: string): Promise<string> {
  const contentKey = keyOf(content);
  const held = await tx.get<string>(skillKeys.byContent(contentKey));
  // The same edit, sent twice, may have landed meanwhile: then this one conflicts.
  if (held.value !== null && held.value !== slug) {
    throw new DomainError("duplicate_skill", { slug: held.value });
  }
  tx.set(held.key, slug);
  return contentKey;
}

/** The key of content in `skills_by_content`. */
export function keyOf(content: string): string {
  return sha256(comparedForm(content));
}

/** The fields of a record that come from its content. */
export function measured(
  skill: Pick<StoredSkill, "slug" | "kind" | "summary" | "fileSummary">,
  content: string,
): Pick<StoredSkill, "folder" | "sha256" | "fileSha256" | "characters"> {
  const folder = folderOf(skill.kind, content);
  return {
    folder: folder === skill.slug ? undefined : folder,
    sha256: sha256(content, "hex"),
    fileSha256: sha256(skillFile(skill, content), "hex"),
    characters: lengthOf(content),
  };
}
