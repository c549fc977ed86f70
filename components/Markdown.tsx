import { h, type JSX } from "preact";
import {
  type MarkdownElement,
  type MarkdownNode,
  parseDescription,
} from "../lib/text/markdown_tree.ts";

/** Rendered Markdown from a user. Its headings start below the page's. */
export function Markdown({ nodes }: { nodes: readonly MarkdownNode[] }) {
  return <div class="markdown" dir="auto">{nodes.map(toElement)}</div>;
}

/** A project's description, with the few Markdown features it may use. */
export function Description({ text }: { text: string }) {
  return <div class="markdown description" dir="auto">{parseDescription(text).map(toElement)}</div>;
}

function toElement(node: MarkdownNode): JSX.Element | string {
  if (typeof node === "string") return node;
  return h(tagOf(node), attributesOf(node), ...node.children.map(toElement));
}

/** The page has its own h1 and h2. */
function tagOf({ tag }: MarkdownElement): string {
  return /^h[1-6]$/.test(tag) ? `h${Math.min(6, Number(tag[1]) + 2)}` : tag;
}

function attributesOf({ tag, href, start, children }: MarkdownElement): Record<string, unknown> {
  // Print adds the URL to other links.
  const isBare = children.length === 1 && children[0] === href;
  if (tag === "a") {
    return { href, rel: "nofollow ugc noopener", class: isBare ? "bare" : undefined };
  }
  if (tag === "ol" && start !== 1) return { start };
  // Anything that scrolls horizontally must be reachable by keyboard.
  if (tag === "pre" || tag === "table") return { tabIndex: 0 };
  return {};
}
