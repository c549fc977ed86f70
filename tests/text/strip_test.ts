import { assertEquals, assertFalse } from "@std/assert";
import fc from "fast-check";
import { stripLinksAndMarkup } from "@/lib/text/strip.ts";
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
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 15 }), (chosen) => {
      const stripped = stripLinksAndMarkup(chosen.join(""));
      assertEquals(stripLinksAndMarkup(stripped), stripped);
      assertFalse(/<[a-z/]|:\/\/|\]\(/i.test(stripped), stripped);
    }),
    { numRuns: 10_000 },
  );
});

Deno.test("stripLinksAndMarkup takes less than a second on 5,000 characters of the worst kinds", () => {
  for (const unit of ["<", "[", "](", "[a", "<a", ")", "* ", "# ", "a.", "<b>", "[a](", "\t"]) {
    const text = unit.repeat(5_000 / unit.length) + "x";
    assertQuick(1_000, unit, () => stripLinksAndMarkup(text));
  }
});
