const MARKDOWN_SPECIAL = new RegExp(
  [
    String.raw`[\\\`*_~\[\]()<>#|!{}]`, // emphasis, code, links, images, HTML, headings, tables
    String.raw`&(?=#?\w{1,31};)`, // an entity, which would be decoded into any of the above
    String.raw`:(?=//)|@|(?<=www)\.`, // bare addresses that GitHub's Markdown turns into links
    String.raw`^[-+=]|(?<=^\d{1,9})\.(?= |$)`, // a list item or heading underline where a line starts
  ].join("|"),
  "gi",
);
const WHITESPACE = /\s+/g;
const LINE_END = /\r\n?|\n|\u2028|\u2029/;
const BACKTICKS = /`+/g;
const XML_SPECIAL = /[&<>"']/g;
const XML_ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const XML_ILLEGAL = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const SCRIPT_SPECIAL = /[<>&\u2028\u2029]/g;

/**
 * User text as one line of Markdown that renders as just that text: no link, heading, list, table, image,
 * code, HTML or entity comes of it, wherever in a line it is put. Whitespace runs become one space.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(WHITESPACE, " ").trim().replace(MARKDOWN_SPECIAL, (match) => "\\" + match);
}

/** User text of several lines as a Markdown block quote, which no line of it can leave. */
export function escapeMarkdownBlock(text: string): string {
  return text.trim().split(LINE_END).map((line) => `> ${escapeMarkdown(line)}`.trimEnd()).join(
    "\n",
  );
}

/** Text verbatim in a Markdown code block, fenced by more backticks than it holds in a row. */
export function fencedBlock(text: string, language = ""): string {
  const longest = (text.match(BACKTICKS) ?? []).reduce(
    (most, run) => Math.max(most, run.length),
    2,
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** Text for an XML or HTML element or quoted attribute; characters that XML 1.0 forbids are dropped. */
export function escapeXml(text: string): string {
  return text.replace(XML_ILLEGAL, "").replace(
    XML_SPECIAL,
    (character) => XML_ENTITIES[character]!,
  );
}

/** A value as JSON that may stand inside a `<script>` element: nothing in it can end the element. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replace(
    SCRIPT_SPECIAL,
    (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}
