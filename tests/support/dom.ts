/** A page as readers experience it: elements, accessible names and form fields. */
import { parseDocument } from "htmlparser2";
import { type ChildNode, type Element, isElement } from "@/lib/markdown/html_tree.ts";

export type { Element };

/** A parsed page. */
export interface Dom {
  /** Every element, in document order; only those with these tag names, if given. */
  all(...names: string[]): Element[];
  /** The element with this id. */
  byId(id: string): Element | undefined;
  /**
   * An element's accessible name: `aria-label`, the elements of `aria-labelledby`, its label, or
   * its text.
   */
  nameOf(element: Element): string;
}

/** Parses a page. */
export function parsePage(html: string): Dom {
  const elements = elementsIn(parseDocument(html).children);
  const byId = (id: string) => elements.find(({ attribs }) => attribs.id === id);
  return {
    all: (...names) => elements.filter(({ name }) => names.length === 0 || names.includes(name)),
    byId,
    nameOf(element) {
      const { id, "aria-label": label, "aria-labelledby": by } = element.attribs;
      if (label !== undefined) return label;
      if (by !== undefined) return by.split(" ").map((id) => heard(byId(id))).join(" ");
      if (!["input", "select", "textarea"].includes(element.name)) return heard(element);
      const own = elements.find(({ name, attribs }) => name === "label" && attribs.for === id);
      return heard(id === undefined ? closest(element, ({ name }) => name === "label") : own);
    },
  };
}

/** A node's text as read aloud. */
export function heard(node: ChildNode | null | undefined): string {
  return wordsOf(node).replace(/\s+/g, " ").trim();
}

function wordsOf(node: ChildNode | null | undefined): string {
  if (node?.type === "text") return node.data;
  if (!node || !isElement(node) || node.attribs["aria-hidden"] === "true") return "";
  if (node.attribs["aria-label"] !== undefined) return ` ${node.attribs["aria-label"]} `;
  if (node.name === "img") return ` ${node.attribs.alt ?? ""} `;
  return node.children.map(wordsOf).join("");
}

/** The closest matching element: this one or an ancestor. */
export function closest(
  element: Element,
  fits: (element: Element) => boolean,
): Element | null {
  for (let at: Element | null = element; at !== null;) {
    if (fits(at)) return at;
    const { parent }: { parent: unknown } = at;
    at = parent !== null && isElement(parent as ChildNode) ? parent as Element : null;
  }
  return null;
}

/** Every element within some nodes. */
export function elementsIn(nodes: readonly ChildNode[]): Element[] {
  return nodes.flatMap((node) =>
    "attribs" in node ? [node as Element, ...elementsIn(node.children)] : []
  );
}

/** True if an element is hidden from screen readers. */
export function isUnheard(element: Element): boolean {
  return closest(element, ({ attribs }) => attribs["aria-hidden"] === "true") !== null;
}

/** The content of a page's head, one line each: its title, description and URLs. */
export function headOf(dom: Dom): string[] {
  const isHead = ({ name }: Element) => name === "head";
  const named = dom.all("link").filter((link) => closest(link, isHead)).map(({ attribs }) => {
    const kind = attribs.type ?? attribs.as;
    return `${attribs.rel}${kind ? ` ${kind}` : ""} < ${
      attribs.href!.replace(/\?(__frsh_c|v)=\w+/, "")
    }`;
  });
  const metas = dom.all("meta").filter(({ attribs }) => attribs.name ?? attribs.property).map(
    ({ attribs }) => `${attribs.name ?? attribs.property} = ${attribs.content}`,
  );
  return [heard(dom.all("title")[0]), ...metas, ...named];
}

/**
 * A visitor's outline of a part of a page, apart from running text, one line each: headings, facts,
 * lists, tables, images, fields and buttons. Consecutive links share a line, and so do the choices
 * of one field. With `isWhole`, the text is included too.
 */
export function outlineOf(dom: Dom, part: Element, { isWhole = false } = {}): string[] {
  const lines: string[] = [];
  let last = "";
  for (const element of elementsIn(part.children)) {
    const isTold = isUnheard(element) || element.name === "a" && closest(element, tellsLinks);
    const isText = isWhole && element.name === "p";
    const entry = isTold ? null : isText ? ["", `* ${heard(element)}`] : entryOf(dom, element);
    if (entry === null) continue;
    const [kind, text] = entry as [string, string];
    const joint = /^[=*]/.test(text) ? " " : " | ";
    lines.push(kind !== "" && kind === last ? lines.pop() + joint + text : text);
    last = kind;
  }
  return lines;
}

/** An element's text in an outline, after any text before it on the same line. */
function entryOf(dom: Dom, element: Element): [kind: string, text: string] | null {
  const { name, attribs } = element;
  const label = dom.nameOf(element);
  if (name === "a") return ["link", `${label} > ${attribs.href}`];
  if (name === "button") {
    const { method = "get", action } = closest(element, ({ name }) => name === "form")?.attribs ??
      {};
    const isSent = attribs.type === "submit";
    const traits = [isSent ? `${method} ${action}` : attribs.type, "hidden" in attribs && "hidden"];
    return ["button", `[${[label, ...traits].filter(Boolean).join(", ")}]`];
  }
  if (/^h[1-6]$/.test(name)) return ["", `${"#".repeat(Number(name[1]))} ${withLinks(element)}`];
  if (name === "dt") return ["facts", heard(element)];
  if (name === "dd") return ["facts", `= ${heard(element)}`];
  if (name === "legend") return ["", `${heard(element)}${hintOf(dom, element.parent as Element)}:`];
  if (name === "summary") {
    const isOpen = "open" in (element.parent as Element).attribs;
    return ["", `(${isOpen ? "open" : "more"}) ${heard(element)}`];
  }
  if (name === "caption") return ["", `(table) ${heard(element)}`];
  if (name === "th" && attribs.scope === "col") return ["th", heard(element)];
  if (name === "img") return ["", `(picture) ${attribs.alt} < ${attribs.src}`];
  if (/^(status|alert)$/.test(attribs.role ?? "") && heard(element) !== "") {
    return ["", `(${attribs.role}) ${heard(element)}`];
  }
  if (/^[uo]l$/.test(name) && attribs["aria-label"]) {
    return ["", `(list) ${label}${attribs.start ? ` from ${attribs.start}` : ""}`];
  }
  if (isItem(element) && heard(element) !== "") return ["item", `* ${withLinks(element)}`];
  if (attribs.role === "search") return ["", `(search) ${attribs["aria-label"] ?? ""}`.trim()];
  if (/^(radio|checkbox)$/.test(attribs.type ?? "")) {
    const { name = "", value, type, required, checked } = attribs;
    const what = value === undefined ? attribs.id : `${name}=${value}`;
    const traits = [type, what, required === "" && "required", checked === "" && "checked"];
    return [name, `${label} (${traits.filter(Boolean).join(" ")})`];
  }
  return ["input", "select", "textarea"].includes(name) ? ["", fieldLine(dom, element)] : null;
}

/** An element's text, with the targets of its links. */
function withLinks(element: Element): string {
  const links = elementsIn(element.children).filter(({ name }) => name === "a");
  return [heard(element), ...links.map(({ attribs }) => attribs.href)].join(" > ");
}

/** True if an element's line shows its links' targets. */
function tellsLinks(element: Element): boolean {
  return /^h[1-6]$/.test(element.name) || isItem(element);
}

/** Lists and paragraphs whose text is data instead of prose, as is all user text. */
const DATA =
  /\b(today|wall|ranking|reasons|log|briefs|leaders|row-tagline|row-facts|ticker-line|empty-title|labels)\b/;

/** True if an element is an item of such a list, or such a paragraph. */
function isItem({ name, attribs, parent }: Element): boolean {
  if (name === "p" && attribs.dir === "auto") return (parent as Element).name !== "li";
  const bearer = name === "li" ? (parent as Element).attribs : name === "p" ? attribs : {};
  return DATA.test(bearer.class ?? "");
}

/** Attributes that make a browser help with a field. */
const HELP =
  "required type maxlength autocomplete inputmode autocapitalize autocorrect spellcheck placeholder"
    .split(" ").concat("readonly");

function fieldLine(dom: Dom, element: Element): string {
  const { name, attribs } = element;
  if (attribs.type === "hidden") {
    const value = attribs.value!.replace(/^pik_.*/, "a new edit key");
    return `(hidden ${attribs.name}=${value})`;
  }
  const help = HELP.filter((key) => key in attribs).map((key) =>
    attribs[key] === "" ? key : `${key}=${attribs[key]}`
  );
  const options = elementsIn(element.children);
  const choices = name === "select" ? [`${options.length}: ${options.slice(0, 3).map(heard)}`] : [];
  const chosen = options.find(({ attribs }) => "selected" in attribs);
  const value = attribs.value || (chosen && heard(chosen));
  const traits = [name, attribs.name, ...help, ...choices].filter(Boolean).join(" ");
  return `${dom.nameOf(element)} (${traits})${value ? ` = ${value}` : ""}${hintOf(dom, element)}`;
}

/** The notes next to a field. */
function hintOf(dom: Dom, element: Element): string {
  const ids = element.attribs["aria-describedby"]?.split(" ") ?? [];
  return ids.map((id) => `. ${heard(dom.byId(id))}`).join("");
}
