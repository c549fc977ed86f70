import { BoundedMap } from "../bounded_map.ts";
import type { SkillKind } from "../catalog/skill_kinds.ts";
import { frontmatterOf } from "./install.ts";
import { showInvisible } from "../text/clean.ts";
import { type MarkdownNode, parseMarkdown } from "../text/markdown_tree.ts";

/** Kinds whose content is Markdown. The content of others is shown as it is. */
const MARKDOWN_KINDS: ReadonlySet<SkillKind> = new Set(["skill-md", "agents-md", "cursor-rules"]);

/** Content as the page shows it, with a mark in place of invisible characters. */
export interface ReadableContent {
  /** The frontmatter, verbatim; null where there is none. */
  front: string | null;
  /** The rest as rendered Markdown; null for kinds that are not Markdown. */
  nodes: MarkdownNode[] | null;
  /** Every line of the source. */
  lines: string[];
}

/**
 * The most characters of Markdown whose trees are kept: fifty of the longest contents, or hundreds
 * of usual ones.
 */
const KEPT_LENGTH = 1_000_000;
/** The latest trees. Parsing Markdown that was made for it takes a tenth of a second. */
const parsed = new BoundedMap<MarkdownNode[]>(KEPT_LENGTH, (_, text) => text.length);

function parse(text: string): MarkdownNode[] {
  let nodes = parsed.get(text);
  if (nodes === undefined) parsed.set(text, nodes = parseMarkdown(text));
  return nodes;
}

/** Makes a skill's content readable. */
export function readableContent(
  { kind, content }: { kind: SkillKind; content: string },
): ReadableContent {
  const shown = showInvisible(content);
  const isMarkdown = MARKDOWN_KINDS.has(kind);
  const front = isMarkdown ? frontmatterOf(shown) : null;
  return {
    front: front?.block ?? null,
    nodes: isMarkdown ? parse(shown.slice(front?.block.length ?? 0)) : null,
    lines: shown.split(/\r\n|\r|\n/),
  };
}
