import { assertEquals, assertFalse } from "@std/assert";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { stripLinksAndMarkup } from "@/lib/text/links_and_markup.ts";
import { assertQuick } from "../support/quick.ts";

Deno.test("stripLinksAndMarkup takes links and markup out of one line", () => {
  const table: [string, string][] = [
    ["see [this](http://x.y) now", "see this now"],
    ["![pic](http://x.y/p.png) hello", "pic hello"],
    ["<b>bold</b> **x** `c` ~~d~~ __e__", "bold x c d e"],
    ["<script>alert(1)</script>ok", "alert(1)ok"],
    ["<<b>script>alert", "alert"],
    ["visit evil.com now", "visit now"],
    ["visit evil.com/a?b now", "visit now"],
    ["visit evil。com/a now", "visit now"],
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
    ["*evil.com and [evil.com]", "and"],
    ["_x_ and *y* and ~z~", "x and y and z"],
    ["``a ` b``", "a ` b"],
    ["[a [b] c](u)", "[a [b] c(u)"],
    ["[quote='a b']x[/quote] [IMG width=9]y[/img]", "x y"],
    ["* item", "item"],
    ["```js x", "js x"],
    ["2*3*4", "234"],
  ];
  for (const [raw, clean] of table) assertEquals(stripLinksAndMarkup(raw), clean, raw);
});

Deno.test("stripLinksAndMarkup leaves plain text as it came", () => {
  for (
    const plain of [
      "Node.js and e.g. that. I <3 it, a < b",
      "3.5 vs 4.0",
      "great.It works, end.So what",
      "1. first",
      "snake_case and #1",
      "Better than Z.ai at ASP.NET, says Character.AI.",
      "50% at 10:30 - fine",
      "ça va 日本語 👩‍💻",
      "5 * 3 = 15",
      "${7*7}",
      "a[0] = b[i], see [1] [x y]",
      "the ` key, ~5 min",
      "__init and _private",
      "\\*not this*, ¯\\_(ツ)_/¯",
      "[b] is no tag, nor is [/i]",
    ]
  ) assertEquals(stripLinksAndMarkup(plain), plain);
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
    { numRuns: 10_000 },
  );
});

Deno.test("stripLinksAndMarkup leaves nothing that Markdown or BBCode would render as a link, emphasis or HTML", () => {
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
    { numRuns: 20_000 },
  );
});

Deno.test("stripLinksAndMarkup takes less than a second on 5,000 characters of the worst kinds", () => {
  const units = ["<", "[", "](", "[a", "<a", ")", "* ", "# ", "a.", "<b>", "[a](", "\t"]
    .concat(["*a", " *a", "*a* ", "_a ", "a_ ", "`", "` ``", "~a", "\\*", "[a]", "[/a]", "[a b]"]);
  for (const unit of units) {
    const text = unit.repeat(5_000 / unit.length) + "x";
    assertQuick(1_000, unit, () => stripLinksAndMarkup(text));
  }
});
