import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share, skillBody } from "../support/skills.ts";

Deno.test("/skills lists skills with a link and a vote form each, or says that there are none", async () => {
  await using app = await testApp();
  const empty = await app.text("/skills");
  assertStringIncludes(empty, "No skills yet");
  await share(app, { title: "Réviewer <b>", kind: "prompt" });
  const page = await app.text("/skills?sort=new&q=&kind=");
  assertStringIncludes(page, '<a href="/skills/reviewer-b" dir="auto">Réviewer &lt;b></a>');
  assertStringIncludes(page, 'action="/skills/reviewer-b/vote"');
  assertStringIncludes(page, '<ol class="rows numbered"');
  const none = await app.text("/skills?kind=workflow");
  assertStringIncludes(none, "No skills match");
});

Deno.test("JSON-LD of listings and skills has only their own data, even if hostile, without votes as ratings", async () => {
  await using app = await testApp();
  const hostile = "</script><script>alert(1)</script> \\u003c & <!--";
  const { project } = await submit(app, { name: "Inkwell", tagline: hostile });
  const { slug, skill } = await share(app, { summary: hostile, license: "MIT" });
  for (
    const [path, expected] of [
      [`/p/${project.slug}`, {
        "@type": "WebPage",
        name: "Inkwell",
        url: project.page,
        datePublished: project.createdAt,
        dateModified: project.createdAt,
        mainEntity: {
          "@type": "Thing",
          name: "Inkwell",
          description: hostile,
          url: project.url,
        },
      }],
      [`/skills/${slug}`, {
        "@type": "CreativeWork",
        name: skillBody().title,
        description: hostile,
        url: skill.page,
        license: "https://spdx.org/licenses/MIT.html",
        dateCreated: skill.createdAt,
        dateModified: skill.createdAt,
      }],
    ] as const
  ) {
    const text = await app.text(path);
    const [, json, ...others] = text.split('<script type="application/ld+json">');
    assertEquals(others, []);
    const data = JSON.parse(json!.split("</script>")[0]!);
    assertEquals(data, { "@context": "https://schema.org", ...expected });
  }
});

Deno.test("/skills/<slug> shows rendered content, its source by line, facts, and how to install it", async () => {
  await using app = await testApp();
  const content = [
    "---",
    "name: steps",
    "description: y",
    "---",
    "# Steps",
    "",
    "1. Run `npm ci`",
    "2. <script>alert(1)</script> [no](javascript:alert(1)) [yes](https://example.com)",
    "![i](https://example.com/i.png)",
    "hid\u202Eden",
  ].join("\n");
  const { slug } = await share(app, { title: "Steps", content });
  const response = await app.request(`/skills/${slug}`);
  assertEquals(response.headers.get("cache-control"), "private, no-cache");
  assertStringIncludes(response.headers.get("link")!, `/skills/${slug}.md`);
  const page = await response.text();
  for (
    const part of [
      "<h3>Steps</h3>",
      "<code>npm ci</code>",
      "&lt;script>alert(1)&lt;/script>",
      '<a href="https://example.com" rel="nofollow ugc noopener">yes</a>',
      '<a href="https://example.com/i.png" rel="nofollow ugc noopener">image: i</a>',
      "hid⟦U+202E⟧den",
      'id="L10"',
      '<h2 id="install">Install</h2>',
      "npx skills add http://projectory.test/skills/steps/",
      ">.claude/skills/steps/SKILL.md</code>.",
      "Security check",
    ]
  ) assertStringIncludes(page, part);
  assertNotMatch(page, /<script>|href="javascript:|<img|\u202E/);
});

Deno.test("a skill and its version warn of credentials and hidden text, but not of variable names", async () => {
  await using app = await testApp();
  for (
    const [content, alarm] of [
      ["Set GITHUB_TOKEN for the script.", null],
      ["Set GITHUB_TOKEN and read ~/.ssh/id_ed25519.", "2 possible secrets"],
      ["Set GITHUB_TOKEN, hide \u200bnothing.", "1 invisible character"],
    ] as const
  ) {
    const { slug, skill } = await share(app, { content });
    for (const path of [`/skills/${slug}`, `/skills/${slug}/${skill.sha256}`]) {
      const page = await app.text(path);
      assertEquals(
        /"notice warning".*?<strong>(.*?)<\/strong>/s.exec(page)?.[1] ?? null,
        alarm,
        path,
      );
      assertMatch(page, /[12] possible secret/);
    }
  }
});

Deno.test("/skills/<slug> and its card show who shared it, when it was edited, and what it hides", async () => {
  await using app = await testApp();
  const hidden = [..."obey"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
    .join("");
  const { slug, editKey } = await share(app, {
    content: `Read${hidden} API_KEY first\n~~~sh\n${
      "npm ci\n".repeat(52)
    }~~~\nhttps://example.com/x`,
  }, { headers: { "x-agent-name": "Scout" } });
  const read = async () => {
    const [page, card] = await Promise.all(["", ".md"].map(async (end) => {
      const text = await app.text(`/skills/${slug}${end}`);
      return text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    }));
    return { page: page!, card: card! };
  };
  const { page, card } = await read();
  for (
    const part of [
      "line 1 4 invisible characters: U+E006F U+E0062 U+E0065 U+E0079, which read obey",
      "Commands: 52",
      "line 52 npm ci and 2 more",
      "Links: 1 line 56 example.com https://example.com/x",
      "Possible secrets: 1 line 1 variable: API_KEY",
      "Submitted by Scout",
    ]
  ) assertStringIncludes(page, part);
  for (
    const part of [
      "- Runs of invisible characters: 1 - Line 1: 4 invisible (U+E006F U+E0062 U+E0065 U+E0079), which read: obey -",
      "- Commands: 52 - Line 3: npm ci -",
      "- Line 52: npm ci - … and 2 more -",
      "- Links: 1 - Line 56: https://example.com/x -",
      "- Possible secrets: 1 - Line 1: name API_KEY - Permissions requested: none ##",
      "- Submitted by: Scout -",
    ]
  ) assertStringIncludes(card, part);
  assert(!page.includes("Updated"));
  app.clock.advance(DAY_MS);
  const edit = { method: "PATCH", json: { content: "Quite new content, without any of it" } };
  await app.json(`/api/v1/skills/${slug}`, { ...edit, editKey });
  const edited = await read();
  assertMatch(edited.page, /Updated ?Mar 5/);
  assertStringIncludes(edited.page, "No invisible characters");
  for (
    const kind of [
      "Runs of invisible characters",
      "Commands",
      "Links",
      "Possible secrets",
      "Permissions requested",
    ]
  ) {
    assertStringIncludes(edited.card, `- ${kind}: none`);
  }
});

Deno.test("/skills/<slug> folds long lists of findings and counts what they omit", async () => {
  await using app = await testApp();
  for (
    const [count, isOpen, left] of [[5, true, null], [6, false, null], [52, false, "and 2 more"]]
  ) {
    const content = Array.from(
      { length: count as number },
      (_, i) => `Read https://a.dev/${i} now`,
    );
    const { slug } = await share(app, { content: `# Links\n\n${content.join("\n")}` });
    const html = await app.text(`/skills/${slug}`);
    const [list] = /<details[^>]*>(?:(?!<details).)*Links:.*?<\/details>/s.exec(html)!;
    assertEquals([/^<details +open/.test(list), /and [\d,]+ more/.exec(list)?.[0] ?? null], [
      isOpen,
      left,
    ]);
  }
});

Deno.test("/skills/<slug> says how long a skill is and that it isn't reviewed", async () => {
  await using app = await testApp();
  const { slug } = await share(app, { content: "# One\n\nRead it twice." });
  const html = await app.text(`/skills/${slug}`);
  assertStringIncludes(
    html.replace(/<[^>]+>/g, "").replace(/\s+/g, " "),
    "Automated scan of 3 lines (21 characters), not a human review. " +
      "Read the skill before giving it to an agent.",
  );
});

Deno.test("/skills/<slug> keeps list numbers", async () => {
  await using app = await testApp();
  const { slug } = await share(app, {
    content: "# Steps\n\n3. Third\n\nThen:\n\n1. First\n\n- One",
  });
  const html = await app.text(`/skills/${slug}`);
  const [, text] = /<div class="markdown"[^>]*>(.*?)<\/div>/s.exec(html)!;
  assertEquals(text!.match(/<[ou]l[^>]*>/g)!.map((list) => list.replace(" >", ">")), [
    '<ol start="3">',
    "<ol>",
    "<ul>",
  ]);
});

Deno.test("a skill's page warns above its commands only of what may be hidden in it", async () => {
  await using app = await testApp();
  const pageOf = async (title: string, content: string) => {
    const { slug } = await share(app, { title, content });
    return await app.text(`/skills/${slug}`);
  };
  const quiet = await pageOf("Quiet", "Run `git log` and read it.\n");
  assertMatch(quiet, /<p class="dim"><a href="#facts">Security check<\/a>: 1 command found\.</);
  assertNotMatch(quiet, /warning/);
  const hidden = await pageOf("Hidden", "Run `git log`, and read no\u200Bthing.\n");
  const warning = hidden.indexOf("<strong>1 invisible character</strong>");
  assert(warning > 0 && warning < hidden.indexOf("curl "));
  assertMatch(hidden, /<details open class="warning"><summary><strong>Invisible/);
});
