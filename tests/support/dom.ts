/** A page as its readers meet it: elements, the names that are read out, and the fields of forms. */
import { parseDocument } from "htmlparser2";
import { type ChildNode, type Element, isElement } from "@/lib/markdown/html_tree.ts";

export type { Element };

/** A parsed page. */
export interface Dom {
  /** Every element, in the order of the page; of these names, if any are given. */
  all(...names: string[]): Element[];
  /** The element with this id. */
  byId(id: string): Element | undefined;
  /** What an element is called: by `aria-label`, the elements of `aria-labelledby`, its label, or its words. */
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

/** The words of a node as they are read out. */
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

/** The nearest element that fits: this one, or one that it is in. */
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

/** Every element in some nodes. */
export function elementsIn(nodes: readonly ChildNode[]): Element[] {
  return nodes.flatMap((node) =>
    "children" in node ? [...(isElement(node) ? [node] : []), ...elementsIn(node.children)] : []
  );
}

/** Whether an element is hidden from those who hear the page. */
export function isUnheard(element: Element): boolean {
  return closest(element, ({ attribs }) => attribs["aria-hidden"] === "true") !== null;
}

/**
 * What a visitor finds in a part of a page besides running text, a line each: headings, fields and
 * buttons. Links that follow each other share a line, and so do the choices of one field.
 */
export function outlineOf(dom: Dom, part: Element): string[] {
  const lines: string[] = [];
  let last = "";
  const add = (kind: string, text: string) => {
    if (kind !== "" && kind === last) lines.push(`${lines.pop()} | ${text}`);
    else lines.push(text);
    last = kind;
  };
  for (const element of elementsIn(part.children)) {
    const { name, attribs } = element;
    if (isUnheard(element)) continue;
    if (name === "a") add("link", `${dom.nameOf(element)} > ${attribs.href}`);
    else if (name === "button") {
      const traits = [
        attribs.type === "submit" ? "" : attribs.type,
        "hidden" in attribs && "hidden",
      ];
      add("button", `[${[dom.nameOf(element), ...traits].filter(Boolean).join(", ")}]`);
    } else if (/^h[1-6]$/.test(name)) {
      add("", `${"#".repeat(Number(name[1]))} ${heard(element)}`);
    } else if (name === "legend") add("", `${heard(element)}:`);
    else if (/^(radio|checkbox)$/.test(attribs.type ?? "")) {
      const { name = "", value, type, required } = attribs;
      const what = value === undefined ? attribs.id : `${name}=${value}`;
      add(
        name,
        `${dom.nameOf(element)} (${type} ${what}${required === undefined ? "" : " required"})`,
      );
    } else if (["input", "select", "textarea"].includes(name)) add("", fieldLine(dom, element));
  }
  return lines;
}

/** Attributes by which a browser helps with a field. */
const HELP = "required type maxlength autocomplete inputmode autocapitalize spellcheck readonly"
  .split(" ");

function fieldLine(dom: Dom, element: Element): string {
  const { name, attribs } = element;
  if (attribs.type === "hidden") return `(hidden ${attribs.name}=${attribs.value})`;
  const help = HELP.filter((key) => key in attribs).map((key) =>
    attribs[key] === "" ? key : `${key}=${attribs[key]}`
  );
  const options = element.children.map(heard).filter(Boolean);
  const choices = name === "select" ? [`${options.length} options: ${options.slice(0, 3)}`] : [];
  return `${dom.nameOf(element)} (${
    [name, attribs.name, ...help, ...choices].filter(Boolean).join(" ")
  })`;
}
