import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { marked, type Token, type Tokens } from "marked";
import {
  codeSpan,
  escapeJsonSymbols,
  escapeMarkdown,
  escapeMarkdownBlock,
  escapeXml,
  fencedBlock,
  isBeyondLatin,
  jsonForScript,
  linkText,
} from "@/lib/text/escape.ts";
import { decodeHeaderText } from "@/lib/text/header.ts";
import { rounds } from "../support/runs.ts";
import { character } from "../support/unicode.ts";

const FRAGMENTS = [
  "[a](http://x.y)",
  "![i](//x)",
  "<b>",
  "</script>",
  "<!--",
  "`",
  "```",
  "~~~",
  "**",
  "__",
  "_",
  "~~",
  "#",
  "# ",
  "> ",
  "- ",
  "* ",
  "+ ",
  "1. ",
  "2) ",
  "---",
  "===",
  "| a | b |",
  "|---|",
  "\n",
  "\r\n",
  "\n\n",
  "    ",
  "\t",
  "https://x.y",
  "www.x.y",
  "WWW.x.y",
  "a@b.co",
  "mailto:a@b.co",
  "ftp://x",
  "<http://x>",
  "&lt;b&gt;",
  "&#60;",
  "&amp;",
  "\\",
  "[x]: http://y",
  "[^1]",
  "$$",
  "{",
  "}",
  "!",
  "[",
  "]",
  "(",
  ")",
  ":",
  "http",
  "s://",
  "www",
  ".",
  "@",
  "1",
  "é",
  "日本",
  " ",
  "\u2028",
  "[ ] ",
  "$1",
];
const hostile = fc.array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ maxLength: 6 })), {
  maxLength: 14,
})
  .map((parts) => parts.join(""));

function kinds(tokens: Token[], found = new Set<string>()): Set<string> {
  for (const token of tokens) {
    found.add(token.type);
    if ("tokens" in token && token.tokens) kinds(token.tokens, found);
    if (token.type === "list") kinds(token.items, found);
  }
  return found;
}

function links(tokens: Token[]): Tokens.Link[] {
  return tokens.flatMap((token) =>
    token.type === "link"
      ? [token as Tokens.Link]
      : "tokens" in token && token.tokens
      ? links(token.tokens)
      : []
  );
}

/**
 * Asserts that GitHub's Markdown finds only text and bare URLs. A URL includes the backslash of a
 * character right after it, so there may be emphasis next to one.
 */
function assertOnlyAddresses(markdown: string, blocks: string[]): void {
  const tokens = marked.lexer(markdown);
  const found = kinds(tokens);
  const addresses = links(tokens);
  const emphasis = addresses.length > 0 ? ["em", "strong", "del"] : [];
  const allowed = [...blocks, "text", "escape", "space", "link", ...emphasis];
  for (const kind of allowed) found.delete(kind);
  assertEquals([...found], [], markdown);
  for (const { raw, text } of addresses) assertEquals(text, raw, markdown);
}

const oneSpace = (value: string) => value.replace(/\s+/g, " ").trim();

const strict = new MarkdownIt("commonmark");

Deno.test("escapeMarkdown leaves only the same text for CommonMark, anywhere in a line", () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom("", "Tagline: ", "x](", "- ", "## "), (raw, before) => {
      const tokens = strict.parse(`${before}${escapeMarkdown(raw)}`, {});
      const inline = tokens.filter(({ type }) => type === "inline");
      const parts = inline.flatMap(({ children }) => children!);
      assertEquals(parts.filter(({ type }) => type !== "text"), [], escapeMarkdown(raw));
      const expected = oneSpace(before.replace(/^(-|##) $/, "") + oneSpace(raw));
      assertEquals(parts.map(({ content }) => content).join(""), expected);
      const blocks = new Set(tokens.map(({ tag }) => tag).filter((tag) => tag !== ""));
      const ours: Record<string, string[]> = { "- ": ["ul", "li"], "## ": ["h2"] };
      for (const tag of ["p", ...ours[before] ?? []]) blocks.delete(tag);
      assertEquals([...blocks], [], escapeMarkdown(raw));
    }),
    { numRuns: rounds(1_000, 5_000) },
  );
});

Deno.test("escapeMarkdown leaves only bare URLs as markup in GitHub's Markdown", () => {
  fc.assert(
    fc.property(hostile, (raw) => {
      assertOnlyAddresses(escapeMarkdown(raw), ["paragraph"]);
    }),
    { numRuns: rounds(1_000, 5_000) },
  );
});

/** What the parser of github.com/AnswerDotAI/llms-txt treats as a link. */
const REFERENCE_LINK = /-\s*\[(?<title>[^\]]+)\]\((?<url>[^)]+)\)(?::\s*(?<desc>.*))?/;

Deno.test("linkText is read as the same link text by CommonMark and the llms.txt reference parser", () => {
  fc.assert(
    fc.property(hostile.filter((raw) => raw.trim() !== ""), (raw) => {
      const line = `- [${linkText(escapeMarkdown(raw))}](https://x.y/p): note`;
      const { url, desc } = REFERENCE_LINK.exec(line)!.groups!;
      assertEquals([url, desc], ["https://x.y/p", "note"], line);
      const link = strict.parse(line, {}).find(({ type }) => type === "inline")!.children!;
      assertEquals(link[0]!.attrs, [["href", "https://x.y/p"]]);
      const end = link.findIndex(({ type }) => type === "link_close");
      assertEquals(link.slice(1, end).map(({ content }) => content).join(""), oneSpace(raw));
    }),
    { numRuns: rounds(1_000, 5_000) },
  );
});

Deno.test("escapeMarkdown doesn't change plain words", () => {
  for (
    const plain of [
      "AT&T and R&D",
      "3.5 to 4.0: done",
      "Node.js, e.g. v2",
      "a - b = c",
      "C'est la vie; 50% off?",
      "user@host, me@example.com",
      "https://x.example/a_b?c=d#e and www.x.example",
      "snake_case, my__agent, C#, #1, {x}, (beta), wow!",
      "~5 of ~/notes, a | b, 2 * 3, a < b, I <3 it",
      "-5 degrees, +1, =x, C:\\dir, $1",
    ]
  ) {
    assertEquals(escapeMarkdown(plain), plain);
  }
});

Deno.test("escapeMarkdownBlock, codeSpan and fencedBlock are as short as possible", () => {
  assertEquals(escapeMarkdownBlock("\n a\n\n*b*\n"), "> a\n>\n> \\*b\\*");
  assertEquals(["", " ", " a ", "a`b"].map(codeSpan), ["", "", "`a`", "`` a`b ``"]);
  assertEquals(fencedBlock("`a\n````\nb"), "`````\n`a\n````\nb\n`````");
  assertEquals([fencedBlock("a"), fencedBlock("a\n")], ["```\na\n```", "```\na\n```"]);
});

Deno.test("escapeMarkdownBlock never creates a table", () => {
  for (const rule of [":-", ":---", ":---:", "---:", ":--|--:"]) {
    const tokens = marked.lexer(escapeMarkdownBlock(`head\n${rule}`));
    assertEquals([...kinds(tokens)].filter((kind) => kind === "table"), [], rule);
  }
});

Deno.test("escapeMarkdownBlock keeps all lines in one block quote of text", () => {
  fc.assert(
    fc.property(hostile, (raw) => {
      const tokens = marked.lexer(escapeMarkdownBlock(raw)).filter((token) =>
        token.type !== "space"
      );
      assertEquals(tokens.map((token) => token.type), ["blockquote"], escapeMarkdownBlock(raw));
      assertOnlyAddresses(escapeMarkdownBlock(raw), ["blockquote", "paragraph"]);
      const strictly = strict.parse(escapeMarkdownBlock(raw), {})
        .flatMap(({ type, children }) => children?.map((part) => part.type) ?? type);
      for (const type of strictly) {
        assertMatch(type, /^(blockquote|paragraph)_(open|close)$|^(text|softbreak)$/);
      }
    }),
    { numRuns: rounds(1_000, 5_000) },
  );
});

Deno.test("fencedBlock makes one code block with the text verbatim", () => {
  fc.assert(
    fc.property(hostile, (raw) => {
      const body = raw.replace(/\r\n?|\t/g, " ");
      const tokens = marked.lexer(fencedBlock(body, "md"));
      assertEquals(tokens.map((token) => token.type), ["code"], JSON.stringify(body));
      assertEquals((tokens[0] as { text: string }).text.trim(), body.trim());
    }),
    { numRuns: rounds(600, 3_000) },
  );
});

Deno.test("escapeXml leaves no markup or characters that XML 1.0 forbids", () => {
  assertEquals(
    escapeXml(`<a b="c">'&'\x00\x0B\uFFFE\uD800]]>\t\n\r \uD7FF\uE000\uFFFD\u{10000}😀`),
    "&lt;a b=&quot;c&quot;&gt;&#39;&amp;&#39;]]&gt;\t\n\r \uD7FF\uE000\uFFFD\u{10000}😀",
  );
  fc.assert(fc.property(fc.string({ unit: character }), (raw) => {
    // deno-lint-ignore no-control-regex
    assertFalse(/[<>"'\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/.test(escapeXml(raw)));
    assert(escapeXml(raw).isWellFormed());
  }));
});

Deno.test("jsonForScript contains nothing that ends a script and parses to the same value", () => {
  assertEquals(jsonForScript("<>&\u2028\u2029"), '"\\u003c\\u003e\\u0026\\u2028\\u2029"');
  fc.assert(fc.property(fc.jsonValue(), hostile, (value, raw) => {
    const json = jsonForScript({ value, raw });
    assertFalse(/[<>&\u2028\u2029]/.test(json));
    assertEquals(JSON.stringify(JSON.parse(json)), JSON.stringify({ value, raw }));
  }));
});

Deno.test("escapeJsonSymbols escapes characters beyond Latin-1 if none is a letter, and parses to the same value", () => {
  assertEquals(
    escapeJsonSymbols('["déjà – “vu” 🚀"]'),
    String.raw`["déjà \u2013 \u201cvu\u201d \ud83d\ude80"]`,
  );
  assertEquals(escapeJsonSymbols('["日本 – 🚀"]'), '["日本 – 🚀"]');
  fc.assert(fc.property(fc.jsonValue(), hostile, (value, raw) => {
    const json = JSON.stringify([value, raw]);
    const escaped = escapeJsonSymbols(json);
    assertEquals(JSON.stringify(JSON.parse(escaped)), json);
    assert(!isBeyondLatin(escaped) || /(?=[\u0100-\u{10FFFF}])\p{L}/u.test(json));
  }));
});

Deno.test("decodeHeaderText reads UTF-8, or Latin-1 if the bytes aren't UTF-8", () => {
  const onWire = (value: string) => String.fromCharCode(...new TextEncoder().encode(value));
  assertEquals(decodeHeaderText("Plain agent"), "Plain agent");
  for (const name of ["Zoé", "日本語", "🤖 bot"]) {
    assertEquals(decodeHeaderText(onWire(name)), name);
  }
  assertEquals(decodeHeaderText("Zo\xE9"), "Zo\xE9");
});
