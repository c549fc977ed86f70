import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { descriptionMarkdown } from "@/lib/text/description.ts";
import { escapeMarkdownBlock } from "@/lib/text/escape.ts";
import { type MarkdownNode, parseDescription, parseMarkdown } from "@/lib/text/markdown_tree.ts";

/** A tree as tags around text. */
const shown = (nodes: MarkdownNode[]): string =>
  nodes.map((node) =>
    typeof node === "string"
      ? node
      : `<${node.tag}${node.href ? ` ${node.href}` : ""}${
        node.start !== undefined && node.start !== 1 ? ` ${node.start}` : ""
      }>${shown(node.children)}</>`
  ).join("");

/** A tree's text. */
const words = (nodes: MarkdownNode[]): string =>
  nodes.map((node) => typeof node === "string" ? node : words(node.children)).join("");

Deno.test("a description supports paragraphs, lists, emphasis, code and links in Markdown", () => {
  for (
    const [text, expected] of [
      ["One\ntwo\n\nThree", "<p>One\ntwo</><p>Three</>"],
      [
        "**bold** and *slanted* and `code`",
        "<p><strong>bold</> and <em>slanted</> and <code>code</></>",
      ],
      ["Does:\n- one\n- two", "<p>Does:</><ul><li>one</><li>two</></>"],
      ["3. one\n4. two", "<ol 3><li>one</><li>two</></>"],
      ["# Why", "<p><strong>Why</></>"],
      ["```sh\nnpm ci\n```", "<pre><code>npm ci\n</></>"],
      ["[docs](https://a.example/b)", "<p><a https://a.example/b>docs</></>"],
      ["See https://a.example/b.", "<p>See <a https://a.example/b>https://a.example/b</>.</>"],
    ]
  ) assertEquals(shown(parseDescription(text!)), expected);
});

Deno.test("other Markdown and HTML stays text in a description", () => {
  for (
    const text of [
      "<script>alert(1)</script>",
      '<img src=x onerror="alert(1)">',
      "<a href=javascript:alert(1)>x</a>",
      "[bad](javascript:alert(1))",
      "[bad](JaVaScRiPt&colon;alert(1))",
      "[bad](data:text/html,hi)",
      "<https://a.example>",
      "> quoted",
      "| a | b |\n|---|---|\n| 1 | 2 |",
      "Title\n===",
      "---",
      "[a]: https://a.example",
      "    indented",
      "~~gone~~",
      "&lt;b&gt; &amp;",
      "ask mail@a.example or a.example or //a.example or ftp://a.example",
    ]
  ) {
    // Only its bare links become links.
    const linked = text.trim().replace("https://a.example", "<a https://a.example>$&</>");
    assertEquals(shown(parseDescription(text)), `<p>${linked}</>`);
  }
});

Deno.test("a hostile description is parsed without losing letters", () => {
  const letters = (all: string) => all.replace(/[^abx]/g, "");
  for (
    const piece of [
      "*",
      "**a",
      "_*",
      "[",
      "](",
      "`",
      "- ",
      "1. ",
      "\\",
      "![",
      "https://",
      "<",
      "#",
      "~",
      "- *a",
      "  - x\n",
    ]
  ) {
    const text = piece.repeat(2_000).slice(0, 2_000);
    assertEquals(letters(words(parseDescription(text))), letters(text), piece);
  }
  const unit = fc.constantFrom(
    "*",
    "_",
    "`",
    "[",
    "]",
    "(",
    ")",
    "- ",
    "\n",
    "a",
    "1. ",
    "<b>",
    "#",
    "\\",
  );
  fc.assert(fc.property(fc.array(unit, { maxLength: 60 }), (units) => {
    // The first line of a fenced block names its language, which isn't shown.
    const text = units.join("").replaceAll("```", "``");
    assertEquals(letters(words(parseDescription(text))), letters(text));
  }));
});

Deno.test("a description's Markdown keeps what pages render and escapes the rest", () => {
  for (
    const [text, expected] of [
      ["**bold**, *slanted*\n`code` <b>", "> **bold**, *slanted*\n> `code` &lt;b>"],
      ["# Why\n- one\n  - two", "> **Why**\n>\n> - one\n>   - two"],
      ["3. one\n\n4. two", "> 3. one\n>\n> 4. two"],
      ["```sh\nnpm ci\n```", "> ```\n> npm ci\n> ```"],
      ["```\n  \n```", "> ```\n>   \n> ```"],
      ["[docs](https://a.example/b)", "> [docs](<https://a.example/b>)"],
      ["See https://a.example/b.", "> See <https://a.example/b>."],
      ["[bad](javascript:alert(1))", "> \\[bad\\](javascript:alert(1))"],
      ["one  \ntwo", "> one\\\n> two"],
      // Two lists would become one.
      ["- one\n\n* two", "> \\- one\n>\n> \\* two"],
    ]
  ) assertEquals(descriptionMarkdown(text!), expected);
});

Deno.test("a description's Markdown stays in its quote and renders as it does on pages", () => {
  const piece = fc.constantFrom(
    ..."* _ ** ` ``` [ ]( ) < > # - + 1. 2) \\ | ~ ! &amp; https://a.example/x a b é"
      .split(" "),
    ...[" ", "  ", "\n", "\n\n"],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("").trim();
      if (text === "") return;
      const markdown = descriptionMarkdown(text);
      const lines = markdown.split("\n");
      assert(lines.every((line) => line.startsWith(">")), markdown);
      const body = lines.map((line) => line.slice(2)).join("\n");
      if (markdown === escapeMarkdownBlock(text)) return;
      assertEquals(shown(parseMarkdown(body)), shown(parseDescription(text)));
    }),
    { numRuns: 1_000 },
  );
});
