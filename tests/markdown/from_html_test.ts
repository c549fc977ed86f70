import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { marked } from "marked";
import { markdownFromHtml } from "@/lib/markdown/from_html.ts";
import { escapeXml } from "@/lib/text/escape.ts";

const BASE = "https://projectory.example/projects?sort=new";
const convert = (main: string) =>
  markdownFromHtml(`<body><nav>x</nav><main>${main}</main></body>`, BASE);

/** A page's HTML, its Markdown, and the rule. */
const CASES: [html: string, markdown: string, rule: string][] = [
  ["<h1>A</h1><p>b <b>c</b></p>", "# A\n\nb **c**\n", "headings, paragraphs, emphasis"],
  ["<p>a</p>text<p>b</p>", "a\n\ntext\n\nb\n", "bare text between blocks is a paragraph"],
  ["<ul><li>a</li><li>b</li></ul>", "- a\n- b\n", "lists"],
  [
    '<ol start="11"><li>a</li><li>b</li></ol>',
    "11. a\n12. b\n",
    "an ordered list keeps its start number",
  ],
  ["<ul><li>a<ul><li>b</li></ul></li></ul>", "- a\n  - b\n", "nested lists"],
  [
    '<p class="row-facts"><span>a</span> <a href="/x">b</a>  <span><i aria-hidden="true">m</i> <span>c, d</span></span></p><p class="row-facts"> <b> </b></p><p class="row-facts"><b> </b><b>d</b></p>',
    "a, [b](<https://projectory.example/x>), c, d\n\n**d**\n",
    "facts separated by CSS are joined with commas",
  ],
  ["<ul><li><h3>A</h3><p>b</p></li></ul>", "- **A**\n  b\n", "an item's heading is bold"],
  [
    '<a href="/p/x">x</a> <a href="https://e.org/a b">y</a> <a href="javascript:x">z</a>',
    "[x](<https://projectory.example/p/x>) [y](<https://e.org/a%20b>) z\n",
    "links are absolute, and javascript: links become text",
  ],
  [
    '<p><a href="/x">x</a><a href="/y">y</a><code>z</code></p>',
    "[x](<https://projectory.example/x>) [y](<https://projectory.example/y>)`z`\n",
    "adjacent links",
  ],
  [
    '<p>a!<a href="/x">x</a>!<code> </code><a href="/y">y</a>! <code>!</code><a href="/z">z</a></p>',
    "a\\![x](<https://projectory.example/x>)\\![y](<https://projectory.example/y>)! " +
    "`!`[z](<https://projectory.example/z>)\n",
    "a link after an exclamation mark is no image",
  ],
  [
    '<p>(<a href="/x">x</a>) <a href="/y"> y </a>z <a href="/z">z</a> end</p>',
    "([x](<https://projectory.example/x>)) [y](<https://projectory.example/y>)z " +
    "[z](<https://projectory.example/z>) end\n",
    "links keep their position and surrounding spaces",
  ],
  [
    '<p><a>x</a> <a href="/y"> </a><a href="mailto:a<b>c">m</a></p>',
    "x [m](<mailto:a%3Cb%3Ec>)\n",
    "a link needs text and an address that can't break out of its brackets",
  ],
  [
    '<p><a href="http://e.org/">x</a> <a href="shttp://e.org/">y</a> <a href="http://[">z</a></p>',
    "[x](<http://e.org/>) y z\n",
    "invalid and non-web addresses are dropped",
  ],
  [
    "<p><q> a </q><sup> 2 </sup><code>b\n  c\td\re\ff</code></p>",
    "*“a”* ^2`b c d e f`\n",
    "whitespace within a line",
  ],
  [
    '<p><a href="/projects?sort=top&amp;offset=2">x</a> <a href="/projects">y</a> <a href="/skills">z</a> <a href="/projects?a=b#c">c</a></p>',
    "[x](<https://projectory.example/projects.md?sort=top&offset=2>) " +
    "[y](<https://projectory.example/projects.md>) [z](<https://projectory.example/skills>) " +
    "[c](<https://projectory.example/projects?a=b#c>)\n",
    "links to other views of the same page point to their Markdown",
  ],
  ['<p><a href="#x">x</a></p>', `[x](<${BASE}#x>)\n`, "an anchor on the same page"],
  [
    "<dl><dt>a</dt><dd>b</dd><div><dt>c</dt><dd><p>d</p><p>e</p></dd></div></dl>",
    "- a: b\n- c: d e\n",
    "definition lists",
  ],
  [
    "<table><caption>t</caption><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>",
    "t\n\n| a | b |\n| --- | --- |\n| 1 |  |\n",
    "tables, with their caption above",
  ],
  [
    "<table> <tr> <td><p>a</p>\n<ul><li>b</li><li>c</li></ul></td> d </tr> </table><table></table>",
    "| a - b - c |\n| --- |\n",
    "a cell is one line, and an empty table is omitted",
  ],
  [
    "<h2> </h2><h2> A </h2><ul> <li> </li> <li>b</li> c </ul><ul></ul><dl> <dt>d</dt> <dd> </dd> <dd>e</dd> </dl><dl></dl>",
    "## A\n\n- b\n\n- d: e\n",
    "empty elements are omitted",
  ],
  [
    "<p>a</p><hr>b<span><button><p>x</p></button>c</span><span><span><p>d</p> e</span></span>",
    "a\n\n---\n\nb c\n\nd\n\ne\n",
    "an element that contains a block becomes a block",
  ],
  [
    "<pre><code>a\n```\n# b</code></pre>",
    "````\na\n```\n# b\n````\n",
    "a code fence is longer than any backticks in the code",
  ],
  ["<p><code>a`b</code></p>", "`` a`b ``\n", "a code span with backticks"],
  ["<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b\n", "block quotes"],
  ["<p><q>a</q> for b by <q>*c” d</q></p>", "*“a”* for b by *“\\*c” d”*\n", "inline quotes"],
  [
    '<ol><li><span dir="auto">Ada, 90 days*</span> <span>Other, 1 day</span></li></ol>',
    "1. **Ada, 90 days\\*** Other, 1 day\n",
    "submitted text ends where its bold ends",
  ],
  [
    "<p>On <time>1 May</time>; <b>b</b>, <span>c <i>d</i></span>. <span>e</span> f</p>",
    "On 1 May; **b**, c *d*. e f\n",
    "a sentence continues after inline elements",
  ],
  [
    "<p>a<time>b</time>c. d<time>e</time>.f</p>",
    "a b c. d e .f\n",
    "adjacent words stay separated",
  ],
  ["<p><strong>a</strong><em>b</em></p>", "**a** *b*\n", "strong and em"],
  ["<p>(a + 2)<sup>1.5</sup></p>", "(a + 2)^1.5\n", "superscripts"],
  [
    "<p>a</p><textarea readonly>b\nc</textarea><textarea>d</textarea>",
    "a\n\n```\nb\nc\n```\n",
    "a read-only textarea is code, an editable one is omitted",
  ],
  [
    "<p>a<script>x</script><style>y</style><span hidden>z</span></p>",
    "a\n",
    "scripts, styles and hidden elements are omitted",
  ],
  ['<p>a<span aria-hidden="true">▲</span></p>', "a\n", "aria-hidden elements are omitted"],
  ['<a class="skip" href="#b">Skip</a><p>a</p>', "a\n", "skip links are omitted"],
  ['<p>a</p><p><a rel="bookmark" href="#a">Link</a></p>', "a\n", "permalinks are omitted"],
  ['<p>a</p><input id="c"><label for="c">Pause</label>', "a\n", "labels of controls are omitted"],
  ["<form><label>a</label><input></form><p>b</p>", "b\n", "a form without a method is omitted"],
  [
    '<form method="post" action="/x"> <h2>A</h2><p>b</p>t<div>d</div><pre>e</pre><sup>s</sup><label for="c">C</label><input id="c" name="c"><input name="f"></form>',
    "## A\n\nb\n\nThis form is for people; agents use [the API](<https://projectory.example/api/v1>). The form sends `POST https://projectory.example/x` with these fields:\n\n" +
    "- `c`: C. Text.\n- `f`: f. Text.\n",
    "a POST form lists its fields",
  ],
  [
    '<form method="get"><p>a</p><label for="c">C</label><input id="c" name="c"></form><p>b</p>',
    "b\n",
    "a GET form is omitted",
  ],
  [
    '<p id="a">b</p><nav class="side toc"><a href="#a">b</a></nav><nav class="autoc tock"><a href="/c">c</a></nav>',
    "b\n\n[c](<https://projectory.example/c>)\n",
    "a table of contents is omitted",
  ],
  [
    '<form class="vote"><button><i>▲</i> <span class="count"> 12 </span></button></form>' +
    '<form class="vote"><i class="discount counted">3</i><span class="count"> 1 </span></form>' +
    '<form class="devote voter"><span class="count">2</span></form>' +
    '<form class="vote"><button>Vote</button></form>',
    "12 votes\n\n1 vote\n",
    "a vote form becomes its vote count",
  ],
  [
    "<p>&lt;b&gt; [x](y) # &amp;amp;</p>",
    "&lt;b> \\[x\\](y) # \\&amp;\n",
    "text is escaped",
  ],
  [
    '<p><a href="/x">a[0]</a> <a href="/y"><span dir="auto">b]</span></a></p>',
    "[a&#91;0&#93;](<https://projectory.example/x>) [**b&#93;**](<https://projectory.example/y>)\n",
    "brackets in link text become entities",
  ],
  [
    "<table><tr><td>a|b \\| c</td><td><code>d|e</code></td></tr></table>",
    "| a\\|b \\\\\\| c | `d\\|e` |\n| --- | --- |\n",
    "backslashes and pipes can't end a table cell",
  ],
];

for (const [html, markdown, rule] of CASES) {
  Deno.test(`markdownFromHtml: ${rule}`, () => assertEquals(convert(html), markdown));
}

Deno.test("markdownFromHtml separates blocks from the surrounding text", () => {
  const blocks = ["article", "aside", "details", "div", "fieldset", "figcaption", "figure"]
    .concat("footer", "header", "nav", "section", "summary");
  for (const tag of blocks) assertEquals(convert(`a<${tag}>b</${tag}>c`), "a\n\nb\n\nc\n", tag);
  assertEquals(convert("a<blockquote>b</blockquote>c"), "a\n\n> b\n\nc\n");
  assertEquals(
    convert("a<table><tr><td>b</td></tr></table>c"),
    "a\n\n| b |\n| --- |\n\nc\n",
  );
  for (const level of [1, 2, 3, 4, 5, 6]) {
    const heading = `<h${level}>b</h${level}>`;
    assertEquals(convert(`a${heading}c`), `a\n\n${"#".repeat(level)} b\n\nc\n`);
    assertEquals(convert(`<ul><li>${heading}</li></ul>`), "- **b**\n");
  }
});

Deno.test("markdownFromHtml puts no space before punctuation", () => {
  for (const mark of ".,;:!?") {
    for (const rest of ["", " b"]) {
      const text = convert(`<p>x<time>a</time>${mark}${rest}</p>`).replace("\\", "");
      assertEquals(text, `x a${mark}${rest}\n`);
    }
  }
});

Deno.test("markdownFromHtml starts with the stale notice and ignores others after it", () => {
  const stale = (text: string) => `<aside class="stale"><p>${text}</p></aside>`;
  const html = `${stale("old")}<aside>x</aside><main><p>a</p></main>${stale("y")}`;
  assertEquals(markdownFromHtml(html, BASE), "old\n\na\n");
});

Deno.test("markdownFromHtml never turns text into markup", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60, size: "max" }), (text) => {
      const html = marked.parse(convert(`<p>${escapeXml(text)}</p><p>end</p>`), { async: false });
      const tags = new Set([...html.matchAll(/<\/?([a-z][a-z0-9]*)/g)].map((m) => m[1]));
      assertEquals([...tags].filter((tag) => tag !== "p"), [], html);
    }),
    { numRuns: 2_000 },
  );
});
