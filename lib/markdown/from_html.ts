import { parseDocument } from "htmlparser2";
import { codeSpan, escapeMarkdown, fencedBlock, linkText } from "../text/escape.ts";
import { paths, twinPath } from "../urls.ts";
import { formFields } from "./form_fields.ts";
import {
  type ChildNode,
  descendants,
  type Element,
  isElement,
  isSilent,
  textOf,
} from "./html_tree.ts";

/** Block elements. */
const BLOCKS = new Set(
  ("address article aside blockquote caption dd details div dl dt fieldset figcaption " +
    "figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary " +
    "table textarea ul").split(" "),
);
const HEADING = /^h([1-6])$/;
/** What would end a table cell, even in code and URLs (GitHub's Markdown, section 4.10). */
const PIPE = /\\.|\|/g;

/**
 * The content of one of this site's pages as Markdown: its `<main>`, preceded by the notice that
 * the page is old. All text is escaped, so user text never becomes markup. Forms that post become a
 * list of their fields; buttons, filters, images and tables of contents are left out. Links become
 * absolute, resolved against `base`.
 */
export function markdownFromHtml(html: string, base: string): string {
  const document = parseDocument(html);
  const parts: Element[] = [];
  for (const element of descendants(document)) {
    const isMain = element.name === "main";
    if (isMain || element.attribs.class === "stale") parts.push(element);
    if (isMain) break;
  }
  const shown = parts.length > 0 ? parts : [document];
  return shown.flatMap(({ children }) => toBlocks(children, base)).join("\n\n") + "\n";
}

/** The blocks in a run of nodes; inline nodes between blocks become paragraphs. */
function toBlocks(nodes: ChildNode[], base: string): string[] {
  const blocks: string[] = [];
  let inline: ChildNode[] = [];
  const flush = () => {
    const text = toInline(inline, base).trim();
    if (text !== "") blocks.push(text);
    inline = [];
  };
  for (const node of nodes) {
    if (isElement(node) && isSilent(node)) continue;
    if (isElement(node) && isBlock(node)) {
      flush();
      blocks.push(...blockOf(node, base));
    } else {
      inline.push(node);
    }
  }
  flush();
  return blocks;
}

function isBlock({ name, children }: Element): boolean {
  return BLOCKS.has(name) ||
    children.some((child) => isElement(child) && !isSilent(child) && isBlock(child));
}

function blockOf(node: Element, base: string): string[] {
  const level = HEADING.exec(node.name)?.[1];
  if (level !== undefined) {
    const title = toInline(node.children, base).trim();
    return title === "" ? [] : [`${"#".repeat(Number(level))} ${title}`];
  }
  switch (node.name) {
    case "hr":
      return ["---"];
    case "p":
      return isFacts(node) ? facts(node, base) : toBlocks(node.children, base);
    case "pre":
    case "textarea":
      return [fencedBlock(textOf(node))];
    case "blockquote":
      return [prefixed(toBlocks(node.children, base).join("\n\n"), "> ")];
    case "ul":
    case "ol":
      return list(node, base);
    case "dl":
      return definitions(node, base);
    case "table":
      return table(node, base);
    case "form":
      return formOf(node, base);
    case "nav":
      return isContents(node) ? [] : toBlocks(node.children, base);
    default:
      return toBlocks(node.children, base);
  }
}

/** True for a table of contents, which only links to parts of the same text. */
function isContents({ attribs }: Element): boolean {
  return /\btoc\b/.test(attribs.class ?? "");
}

/** True for a line of facts that only CSS separates. */
function isFacts({ attribs }: Element): boolean {
  return attribs.class === "row-facts";
}

function facts(node: Element, base: string): string[] {
  const shown = node.children.filter(isElement).map((fact) => toInline([fact], base).trim())
    .filter((fact) => fact !== "");
  return shown.length === 0 ? [] : [shown.join(", ")];
}

function list(node: Element, base: string): string[] {
  const items = node.children.filter(isElement).filter(({ name }) => name === "li");
  const start = Number(node.attribs.start ?? 1);
  const lines = items.map((item, i) => {
    const marker = node.name === "ol" ? `${start + i}. ` : "- ";
    const blocks = toBlocks(item.children, base).map((block) =>
      block.startsWith("#") ? `**${block.replace(/^#+ /, "")}**` : block
    );
    if (blocks.length === 0) return null;
    return marker + prefixed(blocks.join("\n"), " ".repeat(marker.length)).trimStart();
  }).filter((line) => line !== null);
  return lines.length === 0 ? [] : [lines.join("\n")];
}

/** A definition list as a list of "term: meaning". */
function definitions(node: Element, base: string): string[] {
  const lines: string[] = [];
  let term = "";
  for (const { name, children } of descendants(node)) {
    if (name !== "dt" && name !== "dd") continue;
    const text = toBlocks(children, base).join(" ");
    if (name === "dt") term = text;
    else if (text !== "") lines.push(`- ${term}: ${text}`);
  }
  return lines.length === 0 ? [] : [lines.join("\n")];
}

/** A table below its caption. */
function table(node: Element, base: string): string[] {
  const parts = [...descendants(node)];
  const caption = parts.filter(({ name }) => name === "caption")
    .flatMap(({ children }) => toBlocks(children, base));
  const rows = parts.filter(({ name }) => name === "tr").map(({ children }) =>
    children.filter(isElement).map((cell) =>
      toBlocks(cell.children, base).join(" ").replaceAll("\n", " ")
        .replace(PIPE, (mark) => mark === "|" ? "\\|" : mark)
    )
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return [];
  const line = (cells: string[]) =>
    `| ${Array.from({ length: width }, (_, i) => cells[i]).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [...caption, [line(head), line(Array(width).fill("---")), ...body.map(line)].join("\n")];
}

/**
 * A vote button becomes its count. A form with fields becomes its text, its fields, and its target.
 */
function formOf(form: Element, base: string): string[] {
  const { class: style = "", method, action = "" } = form.attribs;
  if (/\bvote\b/.test(style)) return votes(form);
  const fields = method === "post" ? formFields(form) : [];
  if (fields.length === 0) return [];
  const said = form.children.filter((child) => isElement(child) && /^(h\d|p)$/.test(child.name));
  const to = codeSpan(`POST ${new URL(action, base).href}`);
  const api = `[the API](<${new URL(paths.api, base)}>)`;
  return [
    ...toBlocks(said, base),
    `This form is for people; agents use ${api}. The form sends ${to} with these fields:`,
    fields.join("\n"),
  ];
}

/** The count on a vote button. */
function votes(form: Element): string[] {
  const count = descendants(form).find(({ attribs }) => /\bcount\b/.test(attribs.class ?? ""));
  if (count === undefined) return [];
  const shown = textOf(count).trim();
  return [`${escapeMarkdown(shown)} ${shown === "1" ? "vote" : "votes"}`];
}

function toInline(nodes: ChildNode[], base: string): string {
  const text = nodes.reduce((before, node, i) => {
    const part = apart(inlineOf(node, base), nodes[i + 1]);
    // A link after an exclamation mark would be an image.
    return (part.startsWith("[") ? before.replace(/!$/, "\\!") : before) + part;
  }, "");
  return oneSpaced(text);
}

/** Text with each run of whitespace collapsed to one space. */
function oneSpaced(text: string): string {
  return text.replace(/[ \t\r\n\f]+/g, " ");
}

function inlineOf(node: ChildNode, base: string): string {
  if (node.type === "text") return escapedText(node.data);
  if (!isElement(node) || isSilent(node)) return "";
  const inner = () => toInline(node.children, base);
  switch (node.name) {
    case "br":
      return " ";
    case "a":
      return link(inner(), addressOf(node, base), base);
    case "strong":
    case "b":
      return emphasised(inner(), "**");
    case "em":
    case "i":
      return emphasised(inner(), "*");
    case "q":
      // A quotation is emphasized. User text can't end that, so it stays separate from the page's
      // own.
      return emphasised(`“${inner().trim()}”`, "*");
    case "span":
      // Likewise, bold wraps user text in a line of ours: "Ada, 90 days" is a name.
      return emphasised(inner(), node.attribs.dir === "auto" ? "**" : "");
    case "sup":
      return `^${inner().trim()}`;
    case "code":
    case "kbd":
      return codeSpan(oneSpaced(textOf(node)));
    case "img":
    case "label":
      return "";
    default:
      // Add spaces, because neighbors that only CSS separates would run together.
      return ` ${inner()} `;
  }
}

/**
 * A node's text, without the trailing space if punctuation follows, and with a leading one before a
 * link that CSS sets apart.
 */
function apart(text: string, next: ChildNode | undefined): string {
  if (next !== undefined && isElement(next) && next.name === "a" && text.endsWith(">)")) {
    return `${text} `;
  }
  const goesOn = next?.type === "text" && /^[.,;:!?](?:\s|$)/.test(next.data);
  return goesOn ? text.trimEnd() : text;
}

/** Escaped text, with the whitespace around it kept as one space. */
function escapedText(text: string): string {
  const escaped = escapeMarkdown(text);
  if (escaped === "") return text === "" ? "" : " ";
  return (/^\s/.test(text) ? " " : "") + escaped + (/\s$/.test(text) ? " " : "");
}

/**
 * A link's target. In Markdown, links to other views of the same page (the next page of a list,
 * another order, no filters) lead to their Markdown.
 */
function addressOf({ attribs: { href } }: Element, base: string): string | undefined {
  if (href === undefined || href.includes("#")) return href;
  const isView = href.split("?")[0] === new URL(base).pathname;
  return isView ? twinPath(href) ?? href : href;
}

function link(text: string, href: string | undefined, base: string): string {
  const label = linkText(text.trim());
  if (label === "" || href === undefined) return text;
  const url = URL.canParse(href, base) ? new URL(href, base) : null;
  if (url === null || !/^(https?|mailto):$/.test(url.protocol)) return text;
  return `[${label}](<${url.href.replace(/[<>]/g, encodeURIComponent)}>)`;
}

function emphasised(text: string, mark: string): string {
  const inner = text.trim();
  return inner === "" ? text : ` ${mark}${inner}${mark} `;
}

function prefixed(text: string, prefix: string): string {
  return text.split("\n").map((line) => (prefix + line).trimEnd()).join("\n");
}
