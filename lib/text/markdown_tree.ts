import MarkdownIt from "markdown-it";
import { NOT_BLANK, showInvisible } from "./clean.ts";

/** Elements allowed in rendered Markdown. */
const TAGS = new Set(
  "a blockquote br code em h1 h2 h3 h4 h5 h6 hr li ol p pre s strong table tbody td th thead tr ul"
    .split(" "),
);
const WEB = /^(?:https?:|mailto:)/i;

/** A node of rendered Markdown: text or an allowed element. */
export type MarkdownNode = string | MarkdownElement;

/** An allowed element. Only `a` has `href`, a web or mail address. */
export interface MarkdownElement {
  tag: string;
  href?: string;
  /** The number of the first item, on `ol`. */
  start?: number;
  children: MarkdownNode[];
}

/**
 * Tables with more cells than this stay text: the parser pads each row to the width of the head,
 * 65,536 cells from 20,000 characters. Tables with full rows have fewer.
 */
const MAX_CELLS = 12_000;
/** The line under a table's head. */
const DELIMITERS = /^[\s>|:-]+$/;

/** How deep quotes and lists can nest. Anything deeper becomes text: the parser would drop it. */
const BLOCK_NESTING = 100;
/** How deep links and images can nest: unclosed brackets take as many passes. */
const INLINE_NESTING = 20;

const parser = makeParser();
const withoutTables = makeParser().disable("table");

function makeParser() {
  const md = new MarkdownIt({ html: false, linkify: false });
  md.core.ruler.before("block", "block_nesting", () => {
    md.options.maxNesting = BLOCK_NESTING;
  });
  md.core.ruler.before("inline", "inline_nesting", () => {
    md.options.maxNesting = INLINE_NESTING;
  });
  md.core.ruler.disable("strip_references");
  const { ruler } = md.block;
  // Neither rule ends a paragraph, so both are called only for their output.
  ruler.before("table", "too_deep", (state, startLine, endLine) => {
    // A list is two levels.
    if (state.level < BLOCK_NESTING - 2) return false;
    pushText(state, linesOf(state, startLine, state.line = endLine));
    return true;
  });
  const define = ruler.getRules("").find(({ name }) => name === "reference")!;
  ruler.at("reference", (state, startLine, endLine, silent) => {
    const isDefinition = define(state, startLine, endLine, silent);
    if (isDefinition) keepDefinition(state, linesOf(state, startLine, state.line));
    return isDefinition;
  });
  return md;
}

/** Markdown rules disabled in descriptions: their markup stays as written. */
const NOT_IN_DESCRIPTIONS = [
  ...["table", "code", "blockquote", "hr", "reference", "lheading", "html_block"],
  ...["strikethrough", "image", "autolink", "html_inline", "entity"],
];

const descriptions = makeParser().disable(NOT_IN_DESCRIPTIONS).set({ linkify: true });
// Link addresses only if they have a scheme: anything else is ambiguous.
descriptions.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  .add("//", null).add("ftp:", null).add("mailto:", null);

type State = Parameters<Parameters<typeof parser.block.ruler.at>[1]>[0];

/** Some lines as written. */
function linesOf(state: State, startLine: number, endLine: number): string {
  return state.getLines(startLine, endLine, state.blkIndent, false).trim();
}

/**
 * Turns the definition just found into text, merged with those right before it into one code block.
 */
function keepDefinition({ tokens }: State, text: string): void {
  const [own, before] = [tokens.at(-1)!, tokens.at(-2)];
  own.content = `${text}\n`;
  if (before?.type !== own.type) return;
  before.content += own.content;
  tokens.pop();
}

/** Adds a paragraph of text. */
function pushText(state: State, text: string): void {
  state.push("paragraph_open", "p", 1);
  state.push("text", "", 0).content = text;
  state.push("paragraph_close", "p", -1);
}

/**
 * Parses untrusted Markdown (CommonMark with tables) into a tree of allowed elements. HTML becomes
 * text, an image becomes a link to it, and a link to anything but a web or mail address becomes its
 * text. Markup that normally renders as nothing is shown, such as a link definition, a link without
 * text or an invisible character written as an entity: readers must see what programs read.
 */
export function parseMarkdown(text: string): MarkdownNode[] {
  return build((cellsWithin(text) > MAX_CELLS ? withoutTables : parser).parse(text, {}));
}

/**
 * Parses a project's description: untrusted plain text with a little Markdown (paragraphs, lists,
 * emphasis, code and links). Bare web addresses become links, and a heading becomes a bold
 * paragraph. Everything else stays text as written, and line breaks are kept.
 */
export function parseDescription(text: string): MarkdownNode[] {
  return build(descriptions.parse(text, {})).map((node) =>
    typeof node !== "string" && /^h\d$/.test(node.tag)
      ? { tag: "p", children: [{ tag: "strong", children: node.children }] }
      : node
  );
}

/**
 * The maximum number of cells a text's tables can have: as if each line were a row of the widest
 * one.
 */
function cellsWithin(text: string): number {
  const lines = text.split(/\r\n?|\n/);
  const widths = lines.filter((line) => DELIMITERS.test(line)).map((line) =>
    line.split("|").length
  );
  return lines.length * Math.max(0, ...widths);
}

type Token = ReturnType<typeof parser.parse>[number];

function build(tokens: Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: MarkdownNode[][] = [root];
  for (const [i, token] of tokens.entries()) {
    const into = open.at(-1)!;
    if (token.nesting < 0) {
      open.pop();
    } else if (token.nesting > 0) {
      const children = token.hidden ? into : childrenOf(token, into);
      if (token.type === "link_open" && !hasText(tokens, i)) append(children, hrefOf(token));
      open.push(children);
    } else {
      for (const node of leaf(token)) append(into, node);
    }
  }
  return root;
}

/** True if anything is visible between a `link_open` and its end. */
function hasText(tokens: Token[], start: number): boolean {
  for (let i = start + 1; tokens[i]!.type !== "link_close"; i++) {
    const { type, content } = tokens[i]!;
    if (type === "image" || NOT_BLANK.test(content)) return true;
  }
  return false;
}

/** Adds a node. Text is joined to the text before it, since a long paragraph has many pieces. */
function append(into: MarkdownNode[], node: MarkdownNode): void {
  const last = into.at(-1);
  if (typeof node === "string" && typeof last === "string") into[into.length - 1] = last + node;
  else into.push(node);
}

/**
 * Adds an element and returns the list for its children. If the element is not allowed, its
 * children take its place.
 */
function childrenOf(token: Token, into: MarkdownNode[]): MarkdownNode[] {
  const href = hrefOf(token);
  const isAllowed = TAGS.has(token.tag) && (token.tag !== "a" || WEB.test(href));
  if (!isAllowed) return into;
  const element: MarkdownElement = { tag: token.tag, children: [] };
  if (token.tag === "a") element.href = href;
  if (token.tag === "ol") element.start = Number(token.attrGet("start") ?? 1);
  into.push(element);
  return element.children;
}

function hrefOf(token: Token): string {
  return String(token.attrGet("href") ?? "");
}

function leaf(token: Token): MarkdownNode[] {
  switch (token.type) {
    case "inline":
      return build(token.children ?? []);
    case "softbreak":
      return ["\n"];
    case "hardbreak":
      return [{ tag: "br", children: [] }];
    case "hr":
      return [{ tag: "hr", children: [] }];
    case "code_inline":
      return [{ tag: "code", children: [token.content] }];
    case "code_block":
    case "reference_definition":
    case "fence":
      return [{ tag: "pre", children: [{ tag: "code", children: [token.content] }] }];
    case "image":
      return image(token);
    default:
      // An entity can be any character.
      return token.content === "" ? [] : [showInvisible(token.content)];
  }
}

function image(token: Token): MarkdownNode[] {
  const src = String(token.attrGet("src"));
  const label = `image: ${token.content || src}`;
  return [WEB.test(src) ? { tag: "a", href: src, children: [label] } : label];
}
