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
  "script",
  "select",
  "style",
  "svg",
  "template",
]);
const SPACE = /[ \t\r\n\f]+/g;

/** Whether a node is an element. */
export function isElement(node: ChildNode): node is Element {
  return node.type === "tag" || node.type === "script" || node.type === "style";
}

/** Whether an element has nothing for a reader of the text: controls, pictures, what is hidden. */
export function isSilent(node: Element): boolean {
  const { name, attribs } = node;
  if (name === "textarea") return !("readonly" in attribs);
  return SILENT.has(name) || "hidden" in attribs || attribs["aria-hidden"] === "true";
}

/** All text in a node. */
export function textOf(node: ChildNode): string {
  if (node.type === "text") return node.data;
  return isElement(node) ? node.children.map(textOf).join("") : "";
}

/** Text with each run of white space as one space. */
export function oneSpaced(text: string): string {
  return text.replace(SPACE, " ");
}

/** Text verbatim in a code span, between more backticks than any run in it. */
export function code(text: string): string {
  const plain = oneSpaced(text).trim();
  if (plain === "") return "";
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${plain}${pad}${fence}`;
}
