import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

Deno.test("visitor and voter groups have the same names in tabs, labels, headings and notes", async () => {
  await using app = await testApp();
  await app.json("/api/v1/poll/vote", {
    json: { candidate: "claude" },
    headers: { "x-agent-name": "Walker" },
  });
  const poll = await app.text("/poll?group=ai_agent");
  assertStringIncludes(poll, 'aria-label="AI agents, 7 days"');
  const others = await app.text("/poll?group=other");
  assertEquals(others.includes("Cast the first vote"), false, "a ballot from a page is a human's");
  await app.request("/about");
  const stats = await app.text("/stats");
  for (const name of ["People", "AI agents", "Crawlers"]) {
    assertMatch(stats, new RegExp(`<th[^>]*>${name}</th>`));
    assertMatch(stats, new RegExp(`<dt[^>]*>${name}</dt>`));
  }
  assertMatch(stats, /since <time datetime="[\d-]+">\w+ \d+, \d+<\/time>/);
});

Deno.test("home links are marked as current only on the home page", async () => {
  await using app = await testApp();
  for (const [path, expected] of [["/", "page"], ["/about", "false"], ["/nothing", "false"]]) {
    const html = await app.text(path!);
    const current = [...html.matchAll(/<a [^>]*href="\/"[^>]*aria-current="(\w+)"/g)];
    assertEquals(new Set(current.map(([, value]) => value)), new Set([expected]), path);
  }
});

Deno.test("each page's header marks the section that the page belongs to", async () => {
  await using app = await testApp();
  const { project } = await submit(app, { category: "saas" });
  const { slug } = await share(app);
  const projects = ["/projects", `/p/${project.slug}`, "/c/saas", "/t/claude", "/categories"];
  for (
    const [section, pages] of [
      ["Projects", [...projects, "/tools", `/p/${project.slug}/edit`]],
      ["Skills", ["/skills", `/skills/${slug}`]],
      ["Promote", ["/promote", "/auctions"]],
      [undefined, ["/", "/privacy", "/about"]],
    ] as const
  ) {
    for (const path of pages) {
      const html = await app.text(path);
      const nav = /<nav aria-label="Sections">.*?<\/nav>/s.exec(html)![0];
      const marked = [...nav.matchAll(/<a [^>]*aria-current[^>]*>([^<]*)</g)].map((m) => m[1]);
      assertEquals(marked, section === undefined ? [] : [section], path);
    }
  }
});

Deno.test("titles of errors and forms match their heading and name the site", async () => {
  await using app = await testApp();
  const { page } = (await submit(app)).project;
  const listing = new URL(page).pathname;
  for (
    const path of [
      "/nothing",
      "/poll?window=bad",
      `${listing}/edit`,
      `${listing}/billing`,
      `${listing}/report`,
    ]
  ) {
    const html = await app.text(path);
    const heading = /<h1>(.*?)<\/h1>/s.exec(html)![1]!.replaceAll(/<[^>]*>/g, "");
    assertEquals(/<title>([^<]*)<\/title>/.exec(html)![1], `${heading} · Projectory`);
  }
});

Deno.test("each auction's description is about its own week, and previews name the site", async () => {
  await using app = await testApp();
  const { body } = await app.json("/api/v1/auctions");
  const weeks = [...body.open, ...body.upcoming].map(({ id }) => id as string);
  const described = await Promise.all(weeks.map(async (id) => {
    const html = await app.text(`/auctions/${id}`);
    assertStringIncludes(html, '<meta property="og:site_name" content="Projectory"');
    return /<meta name="description" content="([^"]*)"/.exec(html)![1];
  }));
  assertEquals([described.length > 1, new Set(described).size], [true, weeks.length]);
});

Deno.test("/api and /promote render inline code without backticks", async () => {
  await using app = await testApp();
  for (
    const [path, shown] of [
      ["/api", /<code ?>degraded<\/code> means that something needs the operator/],
      ["/promote", /<code ?>create_promotion_checkout<\/code> over MCP/],
    ] as const
  ) {
    const html = await app.text(path);
    const prose = html.replace(/<(pre|script)\b.*?<\/\1>/gs, "");
    assertEquals([...prose.matchAll(/[^<>]*`[^<>]*/g)].map(([text]) => text), []);
    assertMatch(html, shown);
  }
});

Deno.test("a listing's facts show site and source URLs with paths, breakable at slashes and shortened", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app, {
    url: "https://www.example.org/tide/?ref=1",
    repoUrl: `https://example.org/${"long/".repeat(20)}`,
  });
  const html = await app.text(`/p/${slug}`);
  const facts = /<dl class="facts">.*?<\/dl>/s.exec(html)![0];
  const shown = [...facts.matchAll(/nofollow ugc noopener">(.*?)<\/a>/g)].map(([, text]) => text);
  const long = `example.org/${"long/".repeat(20).slice(0, 47)}…`;
  assertEquals(shown, ["example.org/tide", long].map((text) => text.replaceAll("/", "<wbr>/")));
});

Deno.test("a list entry names up to three tools and says how many more there are", async () => {
  await using app = await testApp();
  const namesIn = async () => {
    const html = await app.text("/projects?sort=new");
    const [row] = /<span class="extra"><span class="quiet">Built<.*?<\/p>/s.exec(html)!;
    return row!.replace(/<[^>]*>/g, "").replace(/\s+/g, " ").trim();
  };
  await submit(app, { builtWith: ["claude-code", "cursor", "v0"] });
  assertEquals(await namesIn(), "Built with Claude Code, Cursor, v0");
  app.clock.advance(DAY_MS);
  await submit(app, { builtWith: ["claude-code", "cursor", "v0", "codex", "human"] });
  assertEquals(await namesIn(), "Built with Claude Code, Cursor, v0 and 2 more");
});

Deno.test("traffic charts name the days that they show, and there are none on the first day", async () => {
  await using app = await testApp();
  const captions = async () => {
    const html = await app.text("/stats");
    return [...html.matchAll(/<figcaption>(Requests [^<]*)/g)].map(([, text]) => text);
  };
  await app.request("/");
  assertEquals(await captions(), [], "one day makes no chart");
  app.clock.advance(2 * DAY_MS);
  await app.request("/");
  assertEquals(
    await captions(),
    Array(2).fill("Requests per day, Mar 4 to 6, 2026"),
  );
});

Deno.test("the traffic page shows a window once it is full, and all time if it is longer", async () => {
  await using app = await testApp();
  const windows = async () => {
    const html = await app.text("/stats");
    const [head] = /<th[^>]*>Visitor<.*?<\/tr>/s.exec(html)!;
    return [...head.matchAll(/class="num">([^<]+)/g)].map(([, name]) => name);
  };
  const nothing = await app.text("/stats");
  assertStringIncludes(nothing, "Nothing counted yet");
  await app.request("/");
  for (
    const [days, expected] of [
      [0, ["Today"]],
      [1, ["Today", "All time"]],
      [6, ["Today", "7 days"]],
      [7, ["Today", "7 days", "All time"]],
      [29, ["Today", "7 days", "30 days"]],
      [30, ["Today", "7 days", "30 days", "All time"]],
    ] as const
  ) {
    app.clock.set(TEST_NOW + days * DAY_MS + 62_000);
    await app.request("/");
    assertEquals(await windows(), [...expected], `${days} days`);
  }
});

Deno.test("every footer has the disclaimer and links to the help and the feed", async () => {
  await using app = await testApp();
  const html = await app.text("/terms");
  const part = (pattern: RegExp) => pattern.exec(html)![0];
  assertStringIncludes(
    part(/<p class="colophon">.*?<\/p>/s),
    "Projectory lists projects made by people and AI agents. Listings are not reviewed or endorsed.",
  );
  assertStringIncludes(part(/<p class="colophon">.*?<\/p>/s), 'href="/help"');
  assertStringIncludes(part(/<nav +aria-label="Directory">.*?<\/nav>/s), 'href="/feed.xml"');
});

Deno.test("text that CSS separates also has spaces without it", async () => {
  await using app = await testApp();
  const { project } = await submit(app, {
    name: "Walker",
    url: "https://walker.example.org",
    category: "saas",
    builtWith: ["claude-code"],
  });
  const span = { startsAt: app.clock.now() - 1, endsAt: app.clock.now() + DAY_MS };
  app.deps.catalogue.setPromotion(project.slug, [{ tierId: "bump-3", ...span }]);
  const skill = await share(app, {
    title: "Walk well",
    license: "MIT",
    origin: "third-party",
    sourceUrl: "https://example.org/walk",
    worksWith: ["claude-code"],
  });
  await app.json("/api/v1/guestbook", {
    json: { agentName: "Tern", model: "t-1", maker: "Google", catchphrase: "Passing through" },
  });
  const shown: [string, RegExp[]][] = [
    ["/", [
      />\s*Walker +Promoted/,
      /SaaS +1</,
    ]],
    ["/projects?sort=new", [
      /Walker +Promoted/,
      /Promoted +walker\.example\.org/,
      /SaaS +just now +Built with +Claude Code/,
    ]],
    ["/skills", [/SKILL\.md +MIT +third-party +just now +Works with +Claude Code/]],
    [`/skills/${skill.slug}`, [/>\s*SKILL\.md +Third-party/]],
    ["/categories", [/SaaS +1 project/]],
    ["/tools", [/Claude Code +1 project/]],
    ["/changes", [/12:00 +Project listed +Walker/]],
    ["/guestbook", [/Passing through +\w +Tern +Google/]],
  ];
  for (const [path, texts] of shown) {
    const html = await app.text(path);
    const text = html.replace(/<\/?(?:a|code|q|span|strong|time)\b[^>]*>/g, "");
    for (const expected of texts) assertMatch(text, expected, path);
  }
});
