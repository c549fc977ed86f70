import { assert, assertEquals, assertNotMatch, assertStringIncludes } from "@std/assert";
import { marked } from "marked";
import { createHash } from "node:crypto";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { testApp } from "../support/app.ts";
import { addressOf, invalidFields } from "../support/listings.ts";
import { share } from "../support/skills.ts";

const path = "/api/v1/skills";
const slugs = (answer: { body: { skills: { slug: string }[] } }) =>
  answer.body.skills.map(({ slug }) => slug);

Deno.test("GET /skills lists skills without content, newest first for sort=new, page by page", async () => {
  await using app = await testApp();
  for (let i = 1; i <= 5; i++) {
    await share(app, { title: `S${i}` });
    app.clock.advance(1000);
  }
  const first = await app.json(`${path}?sort=new&limit=2`);
  assertEquals(slugs(first), ["s5", "s4"]);
  const { total, limit, offset, nextOffset } = first.body;
  assertEquals([total, limit, offset, nextOffset], [5, 2, 0, 2]);
  assertEquals(
    first.headers.get("link"),
    `<http://projectory.test${path}?sort=new&limit=2&offset=2>; rel="next"`,
  );
  for (const skill of first.body.skills) assert(!("content" in skill) && !("facts" in skill));
  const last = await app.json(`${path}?sort=new&limit=2&offset=4`);
  assertEquals([slugs(last), last.body.nextOffset], [["s1"], null]);
  const far = await app.json(`${path}?sort=copied&offset=${Number.MAX_SAFE_INTEGER}`);
  assertEquals([far.status, slugs(far), far.body.total], [200, [], 5]);
  assertEquals((await app.json(path)).body.limit, 30);
});

Deno.test("GET /skills orders by votes for top, by copies for copied, and by both and age for hot", async () => {
  await using app = await testApp();
  for (const title of ["Old", "Voted", "Copied", "Young"]) {
    await share(app, { title });
    if (title === "Old") app.clock.advance(2 * DAY_MS);
  }
  for (let i = 0; i < 3; i++) {
    await app.request(`${path}/voted/vote`, { method: "POST", address: addressOf(i) });
  }
  for (let i = 0; i < 25; i++) {
    await app.request(`${path}/copied/copy`, { method: "POST", address: addressOf(i) });
  }
  for (let i = 0; i < 2; i++) {
    await app.request(`${path}/young/vote`, { method: "POST", address: addressOf(i) });
  }
  app.clock.advance(HOUR_MS);
  assertEquals(slugs(await app.json(`${path}?sort=top`)).slice(0, 1), ["voted"]);
  assertEquals(slugs(await app.json(`${path}?sort=copied`)).slice(0, 1), ["copied"]);
  // Age 1 h: (3 + 1) / 3^1.5, (2.5 + 1) / 3^1.5, (2 + 1) / 3^1.5; age 49 h: 1 / 51^1.5.
  assertEquals(slugs(await app.json(path)), ["voted", "copied", "young", "old"]);
});

Deno.test("GET /skills updates the hot order with time, even if nothing else changes", async () => {
  await using app = await testApp();
  await share(app, { title: "Voted" });
  for (let i = 0; i < 3; i++) {
    await app.request(`${path}/voted/vote`, { method: "POST", address: addressOf(i) });
  }
  app.clock.advance(2 * DAY_MS);
  await share(app, { title: "Young" });
  for (const first of ["young", "voted"]) {
    for (let asked = 0; asked < 3; asked++) assertEquals(slugs(await app.json(path))[0], first);
    app.clock.advance(100 * DAY_MS);
  }
});

Deno.test("GET /skills filters by kind, worksWith, category and tag, and searches by q", async () => {
  await using app = await testApp();
  await share(app, { title: "Git helper", kind: "prompt", worksWith: ["codex"], category: "git" });
  await share(app, { title: "Café planner", summary: "Plans lunches", tags: ["food"] });
  const queries: [string, string[]][] = [
    ["kind=prompt", ["git-helper"]],
    ["kind=workflow", []],
    ["worksWith=codex", ["git-helper"]],
    ["category=git", ["git-helper"]],
    ["category=other", []],
    ["tag=food", ["cafe-planner"]],
    ["q=plan", ["cafe-planner"]],
    ["q=CAFE%20lunch", ["cafe-planner"]],
    ["q=helpr", ["git-helper"]],
    ["q=nothinglikeit", []],
    ["q=&sort=new", ["cafe-planner", "git-helper"]],
    ["q=%20&sort=new", ["cafe-planner", "git-helper"]],
    ["q=git&kind=skill-md", []],
  ];
  for (const [query, expected] of queries) {
    assertEquals(slugs(await app.json(`${path}?${query}`)), expected, query);
  }
});

Deno.test("GET /skills returns invalid_input for values outside its enums and ranges", async () => {
  await using app = await testApp();
  for (
    const [query, field] of [
      ["kind=poem", "kind"],
      ["worksWith=abacus", "worksWith"],
      ["category=C%2B%2B", "category"],
      ["tag=a%2Fb", "tag"],
      ["sort=best", "sort"],
      ["limit=0", "limit"],
      ["limit=101", "limit"],
      ["offset=-1", "offset"],
      [`q=${"x".repeat(101)}`, "q"],
      ["sort=new&sort=top", "sort"],
    ]
  ) {
    const answer = await app.json(`${path}?${query}`);
    assertEquals([answer.status, invalidFields(answer)], [400, [field!]], query);
  }
  for (
    const accepted of ["unknown=1", "offset=0", "limit=1", "limit=100", `q=${"x".repeat(100)}`]
  ) {
    assertEquals((await app.json(`${path}?${accepted}`)).status, 200, accepted);
  }
});

Deno.test("GET /skills/{slug} returns not_found for a missing or hidden skill, in every format", async () => {
  await using app = await testApp();
  const { slug } = await share(app, { title: "Gone" });
  await setSkillHidden(app.deps, { slug, hidden: true });
  for (const missing of [slug, "never-was", "%00", "a".repeat(2000)]) {
    for (const rest of ["", "?format=raw", "?format=md", "/vote"]) {
      const answer = await app.json(`${path}/${missing}${rest}`);
      assertEquals([answer.status, answer.body.error.code], [404, "not_found"], missing + rest);
    }
    for (
      const page of [
        `/skills/${missing}/SKILL.md`,
        `/skills/${missing}/.well-known/agent-skills/index.json`,
      ]
    ) {
      assertEquals((await app.request(page)).status, 404, page);
    }
  }
  assertEquals((await app.json(path)).body.total, 0);
});

Deno.test("setSkillHidden hides a skill and restores it with its counts, once each", async () => {
  await using app = await testApp();
  const { slug } = await share(app);
  await app.request(`${path}/${slug}/vote`, { method: "POST" });
  assertEquals(await setSkillHidden(app.deps, { slug, hidden: true }), true);
  assertEquals(await setSkillHidden(app.deps, { slug, hidden: true }), false);
  assertEquals(await setSkillHidden(app.deps, { slug, hidden: false }), true);
  await app.deps.sync.caughtUp();
  assertEquals((await app.json(path)).body.skills[0].votes, 1);
});

const VERBATIM = [
  "\uFEFF---\r\nname: x\r\n---\r\n\r\nBody with\ttabs \u200B\u202E and trailing   \r\n\r\n",
  "e\u0301 is not \u00E9; \x1B[31mred\x1B[0m; nul \x00 too; ```fence``` </script>",
  "👩‍💻 ❤️ 🏴\u{E0067}\u{E0062}\u{E0078}\u{E007F} \u2028 \u0085 \uFFFE ends without newline",
];

for (const [i, content] of VERBATIM.entries()) {
  Deno.test(`GET /skills/{slug} keeps content byte for byte (${i + 1})`, async () => {
    await using app = await testApp();
    const { slug, skill } = await share(app, { content });
    const raw = await app.request(`${path}/${slug}?format=raw`);
    assertEquals(raw.headers.get("content-type"), "text/plain; charset=utf-8");
    assertEquals(raw.headers.get("x-content-type-options"), "nosniff");
    const bytes = new Uint8Array(await raw.arrayBuffer());
    assertEquals(bytes, new TextEncoder().encode(content));
    assertEquals(createHash("sha256").update(bytes).digest("hex"), skill.sha256);
    assertEquals((await app.json(`${path}/${slug}`)).body.skill.content, content);
  });
}

Deno.test("GET /skills/{slug}?format=md returns a card with user text inside its field", async () => {
  await using app = await testApp();
  const evil = "# H [x](http://e.co) <b> | `c`";
  const content = "````\n# Not a heading\n[link](http://x.y)\n```\nend, and enough of it";
  const { slug } = await share(app, {
    title: evil,
    summary: evil,
    author: evil,
    installHint: evil,
    content,
  });
  const answer = await app.request(`${path}/${slug}?format=md`);
  assertEquals(answer.headers.get("content-type"), "text/markdown; charset=utf-8");
  const card = await answer.text();
  assertNotMatch(card, /^- (Category|Works with|Tags|License|Origin|Source|Submitted by):/m);
  // A bare URL is text, or at most links to itself.
  const tokens = marked.lexer(card, { gfm: false });
  assertEquals(
    tokens.filter(({ type }) => type === "heading").map((token) =>
      (token as { depth: number }).depth
    ),
    [1, 2, 2, 2, 2],
  );
  const links: string[] = [];
  marked.walkTokens(tokens, (token) => {
    if (token.type === "link") links.push(token.href);
    assert(token.type !== "html" && token.type !== "image");
  });
  assertEquals(links.filter((href) => !href.startsWith("http://projectory.test/")), []);
  const code = tokens.findLast(({ type }) => type === "code") as { text: string } | undefined;
  assertEquals(code?.text, content);
  const accepted = await app.request(`${path}/${slug}`, { headers: { accept: "text/markdown" } });
  assertEquals(accepted.headers.get("content-type"), "text/markdown; charset=utf-8");
  const told = await app.request(`${path}/${slug}?format=json`, {
    headers: { accept: "text/markdown" },
  });
  assertEquals(told.headers.get("content-type"), "application/json; charset=utf-8");
  for (const { headers } of [accepted, told]) {
    assertEquals(headers.get("vary"), "Accept, Accept-Encoding");
  }
});

Deno.test("GET /skills/{slug} returns 304 for its own ETag, one per format", async () => {
  await using app = await testApp();
  const { slug } = await share(app);
  const etags = new Set<string>();
  for (const format of ["json", "raw", "md"]) {
    const first = await app.request(`${path}/${slug}?format=${format}`);
    const etag = first.headers.get("etag")!;
    etags.add(etag);
    const again = await app.request(`${path}/${slug}?format=${format}`, {
      headers: { "if-none-match": etag },
    });
    assertEquals(again.status, 304);
  }
  assertEquals(etags.size, 3);
  const bad = await app.json(`${path}/${slug}?format=html`);
  assertEquals([bad.status, invalidFields(bad)], [400, ["format"]]);
});

Deno.test("a skill of each kind says where it goes, with the contract's hints", async () => {
  await using app = await testApp();
  const table: [string, string, string][] = [
    ["skill-md", ".claude/skills/t/SKILL.md", "Save as .claude/skills/t/SKILL.md"],
    ["agents-md", "AGENTS.md", "Append to AGENTS.md or CLAUDE.md in the repo root"],
    ["cursor-rules", ".cursor/rules/t.mdc", "Save as .cursor/rules/t.mdc"],
  ];
  for (const [kind, installPath, hint] of table) {
    await using one = await testApp();
    const { skill } = await share(one, { title: "T", kind });
    assertEquals([skill.installPath, skill.install.hint], [installPath, hint]);
  }
  for (const kind of ["prompt", "mcp-server", "gpt-instructions", "workflow"]) {
    const { skill } = await share(app, { title: "T", kind });
    assert(skill.install.hint.length > 0 && skill.installPath.length > 0);
    assertStringIncludes(skill.install.command, skill.installPath);
    assertEquals(skill.install.npx, null);
  }
});
