import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type MarkdownNode, parseMarkdown } from "@/lib/text/markdown_tree.ts";
import { assertQuick } from "../support/quick.ts";
import { rounds } from "../support/runs.ts";

/** The tree as a string: `tag(child,child)`. */
function sketch(nodes: MarkdownNode[]): string {
  return nodes.map((node) =>
    typeof node === "string"
      ? JSON.stringify(node)
      : `${node.tag}${node.href ? `<${node.href}>` : ""}(${sketch(node.children)})`
  ).join(",");
}

const TABLE: [string, string][] = [
  ["# A\n\ntext **b** *c* `d`", 'h1("A"),p("text ",strong("b")," ",em("c")," ",code("d"))'],
  ["- a\n- b\n\n3. c", 'ul(li("a"),li("b")),ol(li("c"))'],
  ["> q\n\n---\n\n```sh\nx\n```", 'blockquote(p("q")),hr(),pre(code("x\\n"))'],
  ["| a |\n|---|\n| b |", 'table(thead(tr(th("a"))),tbody(tr(td("b"))))'],
  ["[l](https://e.co)", 'p(a<https://e.co>("l"))'],
  ["<https://e.co>", 'p(a<https://e.co>("https://e.co"))'],
  ["[l](javascript:alert(1))", 'p("[l](javascript:alert(1))")'],
  ["[l](/relative)", 'p("l")'],
  ["![alt](https://e.co/i.png)", 'p(a<https://e.co/i.png>("image: alt"))'],
  ["![](https://e.co/i.png)", 'p(a<https://e.co/i.png>("image: https://e.co/i.png"))'],
  ["![alt](/i.png)", 'p("image: alt")'],
  ["a\nb  \nc &amp; \\*", 'p("a\\nb",br(),"c & *")'],
  ["    code", 'pre(code("code\\n"))'],
  ["<script>alert(1)</script>", 'p("<script>alert(1)</script>")'],
  ["<!-- hidden -->", 'p("<!-- hidden -->")'],
  ["[//]: # (hidden)\n\na", 'pre(code("[//]: # (hidden)\\n")),p("a")'],
  [
    "[l] [x]\n\n[l]: https://e.co\n\n[m]: /m\n[n]: /n",
    'p(a<https://e.co>("l")," [x]"),pre(code("[l]: https://e.co\\n[m]: /m\\n[n]: /n\\n"))',
  ],
  ["- [l]: /a\n  'b'\n\n[m]: /m", `ul(li(pre(code("[l]: /a\\n'b'\\n")))),pre(code("[m]: /m\\n"))`],
  ["a&#x202e;b&zwnj;&#8203;c", 'p("a⟦U+202E⟧b⟦2 invisible characters⟧c")'],
  ["[](https://e.co)[&nbsp;&#x2800;](/x)", 'p(a<https://e.co>("https://e.co"),"/x ⠀")'],
  ["[&#x2066;](https://e.co)", 'p(a<https://e.co>("⟦U+2066⟧"))'],
];

for (const [markdown, tree] of TABLE) {
  Deno.test(`parseMarkdown parses ${JSON.stringify(markdown)} as ${tree}`, () => {
    assertEquals(sketch(parseMarkdown(markdown)), tree);
  });
}

Deno.test("parseMarkdown only returns allowed elements and web or mail links", () => {
  const allowed =
    /^(a|blockquote|br|code|em|h[1-6]|hr|li|ol|p|pre|s|strong|table|tbody|td|th|thead|tr|ul)$/;
  const parts = [
    "[a](",
    "javascript:",
    "data:text/html,x",
    "https://e.co",
    ")",
    "<b>",
    "![",
    "]",
    "|",
    "\n",
    "- ",
    "> ",
    "`",
    "**",
    "&#106;",
    "a",
    "[a]: vbscript:x\n",
  ];
  const walk = (nodes: MarkdownNode[]): void => {
    for (const node of nodes) {
      if (typeof node === "string") continue;
      assert(allowed.test(node.tag), node.tag);
      if (node.href !== undefined) {
        assert(node.tag === "a" && /^(https?|mailto):/i.test(node.href), node.href);
      }
      walk(node.children);
    }
  };
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...parts), fc.string()), { maxLength: 20, size: "max" }),
      (chosen) => {
        walk(parseMarkdown(chosen.join("")));
      },
    ),
    { numRuns: rounds(500, 2_000) },
  );
});

Deno.test("parseMarkdown omits nothing that is nested deep", () => {
  for (const mark of ["> ", "- ", "1. ", "> - "]) {
    for (let times = 10; times < 120; times++) {
      const tree = sketch(parseMarkdown(`${mark.repeat(times)}last\nlazy\n\nafter`));
      assert(/last.*lazy.*after/s.test(tree), `${times} times ${mark}`);
    }
  }
});

Deno.test("parseMarkdown takes under 80 ms on 20,000 characters of brackets in any arrangement", () => {
  for (
    const unit of [
      "[",
      "![",
      "[a",
      "![a",
      "!['",
      "|-**a![",
      "![[[[[ #\\",
      "![![![![![ ",
      "[a]: b\n",
    ]
  ) {
    assertQuick(80, unit, () => parseMarkdown(unit.repeat(20_000 / unit.length)));
  }
});

Deno.test("parseMarkdown makes no table with mostly missing cells, which could grow to 65,536", () => {
  const cells = (markdown: string) => sketch(parseMarkdown(markdown)).split("td(").length - 1;
  const wide = `${"|a".repeat(500)}|\n${"|-".repeat(500)}|\n`;
  for (const end of ["\n", "\r"]) {
    assertEquals(cells((wide + "a\n".repeat(9_000)).replaceAll("\n", end)), 0);
  }
  assertEquals(cells(`> ${wide.replace("\n", "\n> ")}${"> a\n".repeat(4_500)}`), 0);
  // The largest real table: each cell has its own separator and character.
  const row = "|a".repeat(40) + "|\n";
  assertEquals(cells(row + "|-".repeat(40) + "|\n" + row.repeat(240)), 9_600);
});

Deno.test("parseMarkdown takes less than a second on 20,000 worst-case characters", () => {
  const units = [
    "[",
    "![",
    "](",
    "[a](",
    "<",
    "`",
    "*a",
    "*a_",
    "__a",
    "~~a",
    "| a |\n",
    "> ",
    ">",
    "- ",
    "1. ",
    "#",
    "&",
    "\\",
    "[a]: ",
    "a\n",
    "    ",
    "***a",
    "[[",
    "> - ",
    "a|b\n-|-\n",
  ];
  for (const unit of units) {
    assertQuick(1_000, unit, () => parseMarkdown(unit.repeat(20_000 / unit.length)));
  }
});
