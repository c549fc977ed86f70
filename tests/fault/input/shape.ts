/** The non-text parts of an output, read with the same parsers as its readers use. */
import { parseDocument } from "htmlparser2";
import { marked, type Token } from "marked";

/** How often each element, attribute, heading, link and the like occurs. */
export type Shape = Map<string, number>;

/** An output's shape, by content type. */
export function shapeOf(type: string, text: string): Shape {
  const shape: Shape = new Map();
  if (type.startsWith("text/html")) addMarkup(shape, text, false);
  else if (/xml/.test(type)) addMarkup(shape, text, true);
  else if (/json/.test(type)) addJson(shape, JSON.parse(text), "");
  else if (/^text\/(markdown|plain)/.test(type)) addMarkdown(shape, marked.lexer(text));
  return shape;
}

/** What a shape has more of than another: how much more, by name. */
export function excess(shape: Shape, other: Shape): string[] {
  return [...shape].flatMap(([name, count]) => {
    const more = count - (other.get(name) ?? 0);
    return more > 0 ? [`${more} × ${name}`] : [];
  });
}

function add(shape: Shape, name: string): void {
  shape.set(name, (shape.get(name) ?? 0) + 1);
}

interface MarkupNode {
  type: string;
  name?: string;
  data?: string;
  attribs?: Record<string, string>;
  children?: MarkupNode[];
}

function addMarkup(shape: Shape, text: string, xmlMode: boolean): void {
  const walk = (node: MarkupNode, parent: string) => {
    if (node.type === "text") {
      // Feed readers show these as HTML.
      const isHtml = xmlMode && /^(description|content:encoded|summary|content)$/.test(parent);
      if (isHtml) addMarkup(shape, node.data!, false);
    } else if (node.type !== "root") add(shape, `<${node.name ?? node.type}>`);
    for (const [name, value] of Object.entries(node.attribs ?? {})) {
      add(shape, `<${node.name} ${name}>`);
      if (/^(href|src|action|formaction|srcset|poster|data)$/.test(name)) {
        add(shape, `link ${targetOf(value)}`);
      }
    }
    for (const child of node.children ?? []) walk(child, node.name ?? "");
  };
  walk(parseDocument(text, { xmlMode, decodeEntities: true }) as unknown as MarkupNode, "");
}

function addJson(shape: Shape, value: unknown, path: string): void {
  if (typeof value === "string" && /html$/i.test(path)) addMarkup(shape, value, false);
  if (Array.isArray(value)) value.forEach((item) => addJson(shape, item, `${path}[]`));
  else if (typeof value === "object" && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      add(shape, `${path}.${name}`);
      addJson(shape, part, `${path}.${name}`);
    }
  }
}

function addMarkdown(shape: Shape, tokens: Token[]): void {
  marked.walkTokens(tokens, (token) => {
    if (token.type === "heading") add(shape, `heading ${token.depth}`);
    else if (token.type === "link") {
      // A bare URL is text: if a reader turns it into a link, it leads where it says.
      if (token.raw !== token.text) add(shape, `link ${targetOf(token.href)}`);
    } else if (token.type === "image") add(shape, `image ${targetOf(token.href)}`);
    else if (!/^(text|escape|space|paragraph|br)$/.test(token.type)) add(shape, token.type);
  });
}

/** A link's target, without its query, which may contain encoded text. */
function targetOf(value: string): string {
  const url = URL.parse(value, "http://projectory.test/");
  return url === null ? value : `${url.protocol}//${url.host}${url.pathname}`;
}
