import { parseDocument } from "htmlparser2";

/** A node of a parsed page. */
export type ChildNode = ReturnType<typeof parseDocument>["children"][number];
/** An element of a parsed page. */
export type Element = Extract<ChildNode, { attribs: Record<string, string> }>;

/** Elements that have no form in Markdown. */
const SILENT = new Set([
  "button",
  "head",
  "input",
  "noscript",
  "select",
  "svg",
  "template",
]);

/** Whether a node is an element, scripts and styles aside. */
export function isElement(node: ChildNode): node is Element {
  return node.type === "tag";
}

/** Whether an element has nothing for a reader of the text: controls, pictures, what is hidden or only leads on. */
export function isSilent(node: Element): boolean {
  const { name, attribs } = node;
  if (name === "textarea") return !("readonly" in attribs);
  return SILENT.has(name) || "hidden" in attribs || attribs["aria-hidden"] === "true" ||
    attribs.class === "skip";
}

/** The elements within a node, at any depth, in the order of the page. */
export function* descendants({ children }: { children: ChildNode[] }): Generator<Element> {
  for (const child of children.filter(isElement)) {
    yield child;
    yield* descendants(child);
  }
}

/** All text in a node. */
export function textOf(node: ChildNode): string {
  if (node.type === "text") return node.data;
  return isElement(node) ? node.children.map(textOf).join("") : "";
}
