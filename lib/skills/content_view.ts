import type { SkillKind } from "../catalog/skill_kinds.ts";
import { showInvisible } from "../text/clean.ts";
import { parseMarkdown } from "../text/markdown_tree.ts";
import { linesOf } from "./facts.ts";
import { frontmatterOf } from "./frontmatter.ts";

/** Kinds with Markdown content. Other content is shown as is. */
const MARKDOWN_KINDS: ReadonlySet<SkillKind> = new Set(["skill-md", "agents-md", "cursor-rules"]);

/** The parts of a skill that are needed to show its content. */
export interface SkillText {
  kind: SkillKind;
  content: string;
}

/** A skill's content as its page shows it, with marks for invisible characters. */
export function readableContent({ kind, content }: SkillText) {
  const isMarkdown = MARKDOWN_KINDS.has(kind);
  const block = isMarkdown ? frontmatterOf(content)?.block ?? "" : "";
  const front = showInvisible(block);
  const rest = showInvisible(content.slice(block.length));
  return {
    /** The frontmatter, verbatim; null if there is none. */
    front: front || null,
    /** The rest as rendered Markdown; null for kinds that are not Markdown. */
    nodes: isMarkdown ? parseMarkdown(rest) : null,
    /** Every line of the source. */
    lines: linesOf(front + rest),
  };
}
