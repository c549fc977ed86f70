import { assert, assertEquals, assertFalse } from "@std/assert";
import fc from "fast-check";
import { marked, type Token } from "marked";
import {
  codeSpan,
  escapeJsonSymbols,
  escapeMarkdown,
  escapeMarkdownBlock,
  escapeXml,
  fencedBlock,
  isBeyondLatin,
  jsonForScript,
} from "@/lib/text/escape.ts";
import { decodeHeaderText } from "@/lib/text/header.ts";

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

function text(tokens: Token[]): string {
  return tokens.map((token) =>
    "tokens" in token && token.tokens ? text(token.tokens) : "text" in token ? token.text : ""
  ).join("");
}

const oneSpace = (value: string) => value.replace(/\s+/g, " ").trim();

Deno.test("escapeMarkdown leaves only text, the same text, wherever in a line it stands", () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom("", "Tagline: ", "x](", "www"), (raw, before) => {
      const tokens = marked.lexer(escapeMarkdown(raw));
      const found = kinds(tokens);
      for (const kind of ["paragraph", "text", "escape", "space"]) found.delete(kind);
      assertEquals([...found], [], escapeMarkdown(raw));
      assertEquals(text(tokens), oneSpace(raw));
      const after = kinds(
        marked.lexer(`| a |\n|---|\n| ${before.replace("www", "w")}${escapeMarkdown(raw)} |`),
      );
      assertFalse(
        ["link", "image", "html", "codespan", "em", "strong", "del"].some((kind) =>
          after.has(kind)
        ),
      );
    }),
    { numRuns: 10_000 },
  );
});

Deno.test("escapeMarkdown escapes nothing in plain words", () => {
  for (
    const plain of [
      "AT&T and R&D",
      "3.5 to 4.0: done",
      "Node.js, e.g. v2",
      "a - b = c",
      "C'est la vie; 50% off?",
    ]
  ) {
    assertEquals(escapeMarkdown(plain), plain);
  }
});

Deno.test("text of several lines, code in a line and code in a block are as short as they may be", () => {
  assertEquals(escapeMarkdownBlock("\n a\n\n*b*\n"), "> a\n>\n> \\*b\\*");
  assertEquals(["", " ", " a ", "a`b"].map(codeSpan), ["", "", "`a`", "`` a`b ``"]);
  assertEquals(fencedBlock("`a\n````\nb"), "`````\n`a\n````\nb\n`````");
  assertEquals([fencedBlock("a"), fencedBlock("a\n")], ["```\na\n```", "```\na\n```"]);
});

Deno.test("escapeMarkdownBlock lets no line make a table of the one before it", () => {
  for (const rule of [":-", ":---", ":---:", "---:", ":--|--:"]) {
    const tokens = marked.lexer(escapeMarkdownBlock(`head\n${rule}`));
    assertEquals([...kinds(tokens)].filter((kind) => kind === "table"), [], rule);
  }
});

Deno.test("escapeMarkdownBlock keeps every line in one block quote of text", () => {
  fc.assert(
    fc.property(hostile, (raw) => {
      const tokens = marked.lexer(escapeMarkdownBlock(raw)).filter((token) =>
        token.type !== "space"
      );
      assertEquals(tokens.map((token) => token.type), ["blockquote"], escapeMarkdownBlock(raw));
      const found = kinds(tokens);
      for (const kind of ["blockquote", "paragraph", "text", "escape", "space"]) found.delete(kind);
      assertEquals([...found], [], escapeMarkdownBlock(raw));
    }),
    { numRuns: 5_000 },
  );
});

Deno.test("fencedBlock is one code block that holds the text verbatim", () => {
  fc.assert(
    fc.property(hostile, (raw) => {
      const body = raw.replace(/\r\n?|\t/g, " ");
      const tokens = marked.lexer(fencedBlock(body, "md"));
      assertEquals(tokens.map((token) => token.type), ["code"], JSON.stringify(body));
      assertEquals((tokens[0] as { text: string }).text.trim(), body.trim());
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("escapeXml leaves no markup and no character that XML 1.0 forbids", () => {
  assertEquals(
    escapeXml(`<a b="c">'&'\x00\x0B\uFFFE\uD800]]>\t\n\r \uD7FF\uE000\uFFFD\u{10000}😀`),
    "&lt;a b=&quot;c&quot;&gt;&#39;&amp;&#39;]]&gt;\t\n\r \uD7FF\uE000\uFFFD\u{10000}😀",
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (raw) => {
    // deno-lint-ignore no-control-regex
    assertFalse(/[<>"'\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/.test(escapeXml(raw)));
    assert(escapeXml(raw).isWellFormed());
  }));
});

Deno.test("jsonForScript holds nothing that ends a script and parses to the same value", () => {
  assertEquals(jsonForScript("<>&\u2028\u2029"), '"\\u003c\\u003e\\u0026\\u2028\\u2029"');
  fc.assert(fc.property(fc.jsonValue(), hostile, (value, raw) => {
    const json = jsonForScript({ value, raw });
    assertFalse(/[<>&\u2028\u2029]/.test(json));
    assertEquals(JSON.stringify(JSON.parse(json)), JSON.stringify({ value, raw }));
  }));
});

Deno.test("escapeJsonSymbols escapes what is beyond Latin-1 where none of it is a letter, and parses to the same", () => {
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

Deno.test("decodeHeaderText reads UTF-8 bytes, and Latin-1 where they are not UTF-8", () => {
  const onWire = (value: string) => String.fromCharCode(...new TextEncoder().encode(value));
  assertEquals(decodeHeaderText("Plain agent"), "Plain agent");
  for (const name of ["Zoé", "日本語", "🤖 bot"]) {
    assertEquals(decodeHeaderText(onWire(name)), name);
  }
  assertEquals(decodeHeaderText("Zo\xE9"), "Zo\xE9");
});
