import { codeSpan, escapeMarkdown, escapeMarkdownBlock, fencedBlock, linkText } from "./escape.ts";
import { type MarkdownNode, parseDescription, parseMarkdown } from "./markdown_tree.ts";

/**
 * A project's description in a Markdown block quote that it can't break out of. Markup that pages
 * render stays markup, and everything else is escaped. If the markup would mean something else in
 * CommonMark, all of it is escaped.
 */
export function descriptionMarkdown(text: string): string {
  const nodes = parseDescription(text);
  const markdown = blocksOf(nodes).join("\n\n");
  const isSame = JSON.stringify(parseMarkdown(markdown)) === JSON.stringify(nodes);
  return isSame ? indented(markdown, "> ") : escapeMarkdownBlock(text);
}

/** The blocks in a run of nodes; text next to blocks is a block too. */
function blocksOf(nodes: readonly MarkdownNode[]): string[] {
  const blocks: string[] = [];
  let isText = false;
  for (const node of nodes) {
    const block = typeof node === "string" ? undefined : blockOf(node);
    if (block !== undefined) blocks.push(block);
    else if (isText) blocks[blocks.length - 1] += inlineOf(node);
    else blocks.push(inlineOf(node));
    isText = block === undefined;
  }
  return blocks;
}

function blockOf({ tag, start = 1, children }: Exclude<MarkdownNode, string>): string | undefined {
  switch (tag) {
    case "p":
      return children.map(inlineOf).join("");
    case "pre":
      return fencedBlock(textOf(children));
    case "ul":
      return list(children, () => "- ");
    case "ol":
      return list(children, (i) => `${start + i}. `);
  }
}

function list(items: readonly MarkdownNode[], markerOf: (i: number) => string): string {
  const contents = items.map((item) => typeof item === "string" ? [item] : item.children);
  const isLoose = contents.flat().some((node) => typeof node !== "string" && node.tag === "p");
  const gap = isLoose ? "\n\n" : "\n";
  return contents.map((content, i) => {
    const marker = markerOf(i);
    return marker + indented(blocksOf(content).join(gap), " ".repeat(marker.length)).trimStart();
  }).join(gap);
}

function inlineOf(node: MarkdownNode): string {
  if (typeof node === "string") return node.split("\n").map(escapedLine).join("\n");
  const { tag, href, children } = node;
  const inner = children.map(inlineOf).join("");
  switch (tag) {
    case "code":
      return codeSpan(textOf(children));
    case "strong":
      return `**${inner}**`;
    case "em":
      return `*${inner}*`;
    case "br":
      return "\\\n";
    case "a":
      return textOf(children) === href ? `<${href}>` : `[${linkText(inner)}](<${href}>)`;
    default:
      return inner;
  }
}

/** A line or part of one, escaped, with the spaces around it. */
function escapedLine(line: string): string {
  const text = line.trim();
  const at = line.indexOf(text);
  return line.slice(0, at) + escapeMarkdown(text) + line.slice(at + text.length);
}

function textOf(nodes: readonly MarkdownNode[]): string {
  return nodes.map((node) => typeof node === "string" ? node : textOf(node.children)).join("");
}

function indented(text: string, indent: string): string {
  return text.split("\n").map((line) => line === "" ? indent.trimEnd() : indent + line).join("\n");
}
