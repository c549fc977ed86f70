/** Marks that CommonMark, or GitHub's tables and strikethrough, would read as markup. */
const MARKDOWN_SPECIAL = new RegExp(
  [
    String.raw`[\`\[\]]|_+`, // code, links, underscores (`escapeMarks` skips those in a word)
    String.raw`(?<!\s)\*|\*(?!\s)`, // emphasis, and a list item where a line starts
    String.raw`\\(?=[!-/:-@\[-\`{-~]|$)`, // what a backslash would escape
    String.raw`<(?![=\d]*\s)|^>`, // HTML, addresses in angle brackets, quotes
    String.raw`&(?=#?\w{1,31};)`, // an entity, which would be decoded into any of the above
    String.raw`(?<=\S)~|^~(?=~)`, // strikethrough, by what would close it; a fence
    String.raw`^#(?=#{0,5}(?: |$))|(?<= )#(?=#*$)`, // a heading, and what may close one
    String.raw`^[-+](?= |$)|(?<=^\d{1,9})[.)](?= |$)`, // a list item
    String.raw`^=(?==*$)|^-(?=[-:| ]*$)|^:(?=-)|^\|`, // the line under a heading or a table's head
  ].join("|"),
  "gi",
);
const WORD_CHARACTER = /[\p{L}\p{N}]/u;
const BRACKET = /\\?([\[\]])/g;
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
 * User text as one line of Markdown that renders as exactly that text anywhere in a line: no link,
 * heading, list, image, code, HTML or entity. Runs of whitespace become one space. Backslashes are
 * added only where needed, because agents read the source: a bare address has none, and if a
 * renderer links it, the link goes where it says.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(WHITESPACE, " ").trim().replace(MARKDOWN_SPECIAL, escapeMarks);
}

function escapeMarks(marks: string, at: number, text: string): string {
  if (marks.startsWith("_")) {
    const [before = "", after = ""] = [text[at - 1], text[at + marks.length]];
    if (WORD_CHARACTER.test(before) && WORD_CHARACTER.test(after)) return marks;
  }
  // GitHub's Markdown ends a bare address before "<", and would read a backslash as its last
  // character.
  if (marks === "<") return "&lt;";
  return [...marks].map((mark) => "\\" + mark).join("");
}

/**
 * Markdown as link text, with brackets as entities: the reference parser of llms.txt ends at the
 * first `]`, escaped or not, and fails on the whole file.
 */
export function linkText(markdown: string): string {
  return markdown.replace(BRACKET, (_, bracket) => `&#${bracket.charCodeAt(0)};`);
}

/**
 * User text in bold Markdown, for use within our sentences: the bold shows where it ends, so a name
 * that continues the sentence ("Ada, next at least $900") is not read as part of it.
 */
export function boldMarkdown(text: string): string {
  return `**${escapeMarkdown(text)}**`;
}

/**
 * User text of several lines ending in LF, as a Markdown block quote that it can't break out of.
 */
export function escapeMarkdownBlock(text: string): string {
  return text.trim().split("\n").map((line) => `> ${escapeMarkdown(line)}`.trimEnd()).join("\n");
}

/** One line of text verbatim in a Markdown code span; empty if blank. */
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

/** Text for an XML or HTML element or quoted attribute. Drops characters that XML 1.0 forbids. */
export function escapeXml(text: string): string {
  return text.replace(XML_ILLEGAL, "").replace(
    XML_SPECIAL,
    (character) => XML_ENTITIES[character]!,
  );
}

/** A value as JSON that is safe inside a `<script>` element: nothing in it can end the element. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replace(SCRIPT_SPECIAL, jsonEscape);
}

/**
 * JSON with characters beyond Latin-1 escaped (RFC 8259, section 7), unless one of them is a
 * letter: then it stays readable. V8 stores Latin-1 text at one byte per character and encodes it
 * as UTF-8 ten times as fast.
 */
export function escapeJsonSymbols(json: string): string {
  if (!isBeyondLatin(json) || LETTER_BEYOND_LATIN.test(json)) return json;
  // V8 keeps two bytes per character for a slice of a two-byte string. Decoding bytes makes a
  // one-byte string where possible.
  return decoder.decode(encoder.encode(json.replaceAll(EACH_BEYOND_LATIN, jsonEscape)));
}

/** True if text has a character beyond Latin-1 (above U+00FF). */
export function isBeyondLatin(text: string): boolean {
  return BEYOND_LATIN.test(text);
}

function jsonEscape(character: string): string {
  return "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0");
}
