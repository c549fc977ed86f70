import { BoundedMap } from "../bounded_map.ts";
import type { SkillKind } from "../catalog/skill_kinds.ts";
import { showInvisible } from "../text/clean.ts";
import { type MarkdownNode, parseMarkdown } from "../text/markdown_tree.ts";
import { frontmatterOf } from "./install.ts";

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

/** About how many bytes of trees are kept: four of the largest, or hundreds of usual ones. */
const KEPT_SIZE = 16_000_000;
/** About how many bytes an element takes. Twenty thousand characters may make as many elements. */
const ELEMENT_SIZE = 200;
/** The latest trees by their text. Parsing Markdown that was made for it takes a tenth of a second. */
const parsed = new BoundedMap<MarkdownNode[]>(
  KEPT_SIZE,
  (nodes, text) => text.length + sizeOf(nodes),
);

function sizeOf(nodes: readonly MarkdownNode[]): number {
  return nodes.reduce((sum, node) => {
    const own = typeof node === "string" ? node.length : ELEMENT_SIZE + sizeOf(node.children);
    return sum + own;
  }, 0);
}

function parse(text: string): MarkdownNode[] {
  let nodes = parsed.get(text);
  if (nodes === undefined) parsed.set(text, nodes = parseMarkdown(text));
  return nodes;
}

/** Makes a skill's content readable. */
export function readableContent(
  { kind, content }: { kind: SkillKind; content: string },
): ReadableContent {
  const isMarkdown = MARKDOWN_KINDS.has(kind);
  const block = isMarkdown ? frontmatterOf(content)?.block ?? "" : "";
  const front = showInvisible(block);
  const rest = showInvisible(content.slice(block.length));
  return {
    front: front || null,
    nodes: isMarkdown ? parse(rest) : null,
    lines: (front + rest).split(/\r\n|\r|\n/),
  };
}
