import { lengthOf } from "../text/count.ts";
import { sha256 } from "../text/digest.ts";
import { folderOf } from "./file_name.ts";
import { skillFile } from "./install.ts";
import { comparedForm, type StoredSkill } from "./schema.ts";

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
