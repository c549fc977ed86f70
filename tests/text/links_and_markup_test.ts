import { assert, assertEquals, assertFalse } from "@std/assert";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { hasLinkOrMarkup, stripLinksAndMarkup } from "@/lib/text/links_and_markup.ts";
import { assertQuick } from "../support/quick.ts";
import { rounds } from "../support/runs.ts";

Deno.test("stripLinksAndMarkup removes links and markup from a line", () => {
  const table: [string, string][] = [
    ["see [this](http://x.y) now", "see this now"],
    ["![pic](http://x.y/p.png) hello", "pic hello"],
    ["<b>bold</b> **x** `c` ~~d~~ __e__", "bold x c d e"],
    ["<script>alert(1)</script>ok", "alert(1)ok"],
    ["<<b>script>alert", "alert"],
    ["<B>bold</B> <?php x ?>y", "bold y"],
    ["<a x <3", "<3"],
    ["visit evil.com now", "visit now"],
    ["visit evil.com/a?b now", "visit now"],
    ["visit a.evil.co.uk or münchen.eu or Пример.РФ now", "visit or or now"],
    ["visit XN--E1AFMKFD.XN--P1AI now", "visit now"],
    ["visit(evil.com)now or see:evil.com… “evil.com” #evil.com ...evil.com", "or"],
    ["visit a。evil。com/a evil．com/a evil｡com/a now", "visit now"],
    ["(https://x.com).", ""],
    ["z.ai/chat and https://z.ai here", "and here"],
    ["hxxp://x and HTTPS://X.Y", "and"],
    ["www.anything here", "here"],
    ["mail foo@bar.com please", "mail please"],
    ["# Head", "Head"],
    ["> quote", "quote"],
    ["- item", "item"],
    ["[url=http://a]x[/url]", "x"],
    ["javascript:alert(1) x", "x"],
    ["JavaScript:alert(1) DATA:a Mailto:b WWW.c web+x://d x", "x"],
    ["*evil.com and [evil.com]", "and"],
    ["_x_ and *y* and ~z~", "x and y and z"],
    ["``a ` b``", "a ` b"],
    ["[a [b] c](u)", "[a [b] c(u)"],
    ["[a [b](u) c", "[a b c"],
    ["[this](http://x.y now", "this"],
    ["[a](b(c)d", "a(c)d"],
    ["[h1]x[/h1] [url=a]y]", "x y]"],
    ["***x** __y_ ~~z~", "x y z"],
    ["\\\\*x*", "\\\\x"],
    ["a   b", "a b"],
    ["## Head", "Head"],
    ["+ item", "item"],
    ["[quote='a b']x[/quote] [IMG width=9]y[/img]", "x y"],
    ["* item", "item"],
    ["```js x", "js x"],
    ["2*3*4", "234"],
  ];
  for (const [raw, clean] of table) assertEquals(stripLinksAndMarkup(raw), clean, raw);
});

Deno.test("stripLinksAndMarkup doesn't change plain text", () => {
  for (
    const plain of [
      "Node.js and e.g. that. I <3 it, a < b",
      "3.5 vs 4.0",
      "great.It works, end.So what, says J.de Vries of index.pl",
      "1. first",
      "snake_case and #1",
      "Better than Z.ai at ASP.NET, says Character.AI.",
      "50% at 10:30 - fine",
      "ça va 日本語 👩‍💻",
      "5 * 3 = 15",
      "2 * 3 * 4",
      "snake_case_name, 1_000_000, é_è_ü",
      "metadata:x",
      "${7*7}",
      "a[0] = b[i], see [1] [x y]",
      "the ` key, ~5 min",
      "__init and _private",
      "\\*not this*, \\~nor this~, ¯\\_(ツ)_/¯",
      "[b] is no tag, nor is [/i], nor [a=[b]",
    ]
  ) assertEquals(stripLinksAndMarkup(plain), plain);
});

Deno.test("hasLinkOrMarkup distinguishes links and markup from other special characters in names", () => {
  const linked = ["see evil.com", "(https://x.com)", "[a](b", "JavaScript:x"];
  const marked = ["<b>x", "# x", "- x", "`x", "**x", "~~x", "__x", "a __x", "*abc*"]
    .concat(["x[/b]", "x[/URL]", "[url=x", "[B=x"]);
  for (const name of [...linked, ...marked]) assert(hasLinkOrMarkup(name), name);
  const free = [
    "dependabot[bot]",
    "my__agent",
    "__ x",
    "a * b * c",
    "Z.ai",
    "x #1",
    "[b] x",
    "a_b",
  ];
  for (const name of free) assertFalse(hasLinkOrMarkup(name), name);
});

Deno.test("stripLinksAndMarkup is idempotent and leaves no tag, scheme or Markdown link", () => {
  const parts = [
    "<b>",
    "<",
    ">",
    "[",
    "](",
    ")",
    "http",
    "://",
    "x.com",
    "www.",
    " ",
    "a",
    "*",
    "`",
    "# ",
    "> ",
    "[url]",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 15, size: "max" }), (chosen) => {
      const stripped = stripLinksAndMarkup(chosen.join(""));
      assertEquals(stripLinksAndMarkup(stripped), stripped);
      assertFalse(/<[a-z/]|:\/\/|\]\(/i.test(stripped), stripped);
    }),
    { numRuns: rounds(2_000, 10_000) },
  );
});

Deno.test("stripLinksAndMarkup leaves nothing that renders as a link, emphasis or HTML", () => {
  const parts = ["*", "**", "_", "__", "~", "~~", "`", "``", "[", "]", "](", "(", ")", "!", "\\"]
    .concat([
      "[b]",
      "[/b]",
      "[url=",
      "<",
      ">",
      "<i>",
      " ",
      "\u3000",
      "a",
      "7",
      ".",
      "é",
      "€",
      "x.com",
    ]);
  const markdown = new MarkdownIt({ html: true });
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 20, size: "max" }), (chosen) => {
      const stripped = stripLinksAndMarkup(chosen.join(""));
      const tags = markdown.render(stripped).match(
        /<(?!\/?(?:p|[uo]l|li|hr|blockquote|h\d)\b)[^>]*>/,
      );
      assertEquals(tags, null, stripped);
      assertFalse(/\[([a-z]+)\].*\[\/\1\]|\[[a-z]+=[^\[]*\]/i.test(stripped), stripped);
    }),
    { numRuns: rounds(4_000, 20_000) },
  );
});

Deno.test("stripLinksAndMarkup takes less than a second on 5,000 worst-case characters", () => {
  const units = ["<", "[", "](", "[a", "<a", ")", "* ", "# ", "a.", "<b>", "[a](", "\t"]
    .concat(["*a", " *a", "*a* ", "_a ", "a_ ", "`", "` ``", "~a", "\\*", "[a]", "[/a]", "[a b]"]);
  for (const unit of units) {
    const text = unit.repeat(5_000 / unit.length) + "x";
    assertQuick(1_000, unit, () => stripLinksAndMarkup(text));
  }
});
