import { parseDocument } from "htmlparser2";

/** A node of a parsed page. */
export type ChildNode = ReturnType<typeof parseDocument>["children"][number];
/** An element of a parsed page. */
export type Element = Extract<ChildNode, { attribs: Record<string, string> }>;

/** Elements that have no Markdown equivalent. */
const SILENT = new Set("button head input noscript select svg template".split(" "));

/** True if a node is an element other than a script or style. */
export function isElement(node: ChildNode): node is Element {
  return node.type === "tag";
}

/**
 * True if an element has nothing for someone reading the text: controls, images, hidden parts or
 * mere navigation.
 */
export function isSilent(node: Element): boolean {
  const { name, attribs } = node;
  if (name === "textarea") return !("readonly" in attribs);
  return SILENT.has(name) || "hidden" in attribs || attribs["aria-hidden"] === "true" ||
    attribs.class === "skip" || attribs.rel === "bookmark";
}

/** All descendant elements, in document order. */
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
