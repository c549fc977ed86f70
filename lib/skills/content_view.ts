import type { SkillKind } from "../catalog/skill_kinds.ts";
import { showInvisible } from "../text/clean.ts";
import { type MarkdownNode, parseMarkdown } from "../text/markdown_tree.ts";
import { linesOf } from "./facts.ts";
import { frontmatterOf } from "./install.ts";

/** Kinds with Markdown content. Other content is shown as is. */
const MARKDOWN_KINDS: ReadonlySet<SkillKind> = new Set(["skill-md", "agents-md", "cursor-rules"]);

/** The parts of a skill that are needed to show its content. */
export interface SkillText {
  kind: SkillKind;
  content: string;
}

/** Content as the page shows it, with marks for invisible characters. */
interface ReadableContent {
  /** The frontmatter, verbatim; null if there is none. */
  front: string | null;
  /** The rest as rendered Markdown; null for kinds that are not Markdown. */
  nodes: MarkdownNode[] | null;
  /** Every line of the source. */
  lines: string[];
}

/** Makes a skill's content readable. */
export function readableContent({ kind, content }: SkillText): ReadableContent {
  const isMarkdown = MARKDOWN_KINDS.has(kind);
  const block = isMarkdown ? frontmatterOf(content)?.block ?? "" : "";
  const front = showInvisible(block);
  const rest = showInvisible(content.slice(block.length));
  return {
    front: front || null,
    nodes: isMarkdown ? parseMarkdown(rest) : null,
    lines: linesOf(front + rest),
  };
}
