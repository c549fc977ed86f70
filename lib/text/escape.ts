const MARKDOWN_SPECIAL = new RegExp(
  [
    String.raw`[\\\`*_~\[\]()<>#|!{}]`, // emphasis, code, links, images, HTML, headings, tables
    String.raw`&(?=#?\w{1,31};)`, // an entity, which would be decoded into any of the above
    String.raw`:(?=//)|@|(?<=www)\.`, // bare addresses that GitHub's Markdown turns into links
    String.raw`^[-+=]|(?<=^\d{1,9})\.(?= |$)`, // a list item or heading underline where a line starts
    String.raw`^:(?=-)`, // the line under a table's head, which needs no other mark
  ].join("|"),
  "gi",
);
const WHITESPACE = /\s+/g;
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
const BEYOND_LATIN = /[\u0100-\uFFFF]/;
const EACH_BEYOND_LATIN = new RegExp(BEYOND_LATIN, "g");
const LETTER_BEYOND_LATIN = /(?=[\u0100-\u{10FFFF}])\p{L}/u;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * User text as one line of Markdown that renders as exactly that text, wherever it is put in a
 * line: it makes no link, heading, list, table, image, code, HTML or entity. Runs of whitespace
 * become one space.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(WHITESPACE, " ").trim().replace(MARKDOWN_SPECIAL, (match) => "\\" + match);
}

/**
 * User text in bold Markdown, for a place within a sentence of ours: it ends where the bold does, so
 * a name that goes on like the sentence ("Ada, next at least $900") is not read as part of it.
 */
export function boldMarkdown(text: string): string {
  return `**${escapeMarkdown(text)}**`;
}

/** User text of several lines, which end in LF, as a Markdown block quote that none can leave. */
export function escapeMarkdownBlock(text: string): string {
  return text.trim().split("\n").map((line) => `> ${escapeMarkdown(line)}`.trimEnd()).join("\n");
}

/** Text of one line verbatim in a Markdown code span; nothing of a blank one. */
export function codeSpan(text: string): string {
  const plain = text.trim();
  if (plain === "") return "";
  const fence = fenceFor(plain, 1);
  const pad = fence.length > 1 ? " " : "";
  return fence + pad + plain + pad + fence;
}

/** Text verbatim in a Markdown code block. */
export function fencedBlock(text: string, language = ""): string {
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** At least `least` backticks, and more than any run of them in the text. */
function fenceFor(text: string, least: number): string {
  const runs = text.match(BACKTICKS) ?? [];
  return "`".repeat(runs.reduce((most, { length }) => Math.max(most, length + 1), least));
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
  return JSON.stringify(value).replace(SCRIPT_SPECIAL, jsonEscape);
}

/**
 * JSON in which characters beyond Latin-1 are written as escapes (RFC 8259, section 7), unless any
 * of them is a letter: then it stays readable. V8 stores Latin-1 text at one byte a character, and
 * encodes it as UTF-8 ten times as fast.
 */
export function escapeJsonSymbols(json: string): string {
  if (!isBeyondLatin(json) || LETTER_BEYOND_LATIN.test(json)) return json;
  // V8 keeps two bytes a character for a piece of a two-byte string. Decoding bytes makes a
  // one-byte string where that is possible.
  return decoder.decode(encoder.encode(json.replaceAll(EACH_BEYOND_LATIN, jsonEscape)));
}

/** Whether text has a character beyond Latin-1 (above U+00FF). */
export function isBeyondLatin(text: string): boolean {
  return BEYOND_LATIN.test(text);
}

function jsonEscape(character: string): string {
  return "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0");
}
