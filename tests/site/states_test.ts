import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { setThemeControl } from "@/lib/ai_of_the_day/service.ts";
import { siteThemes } from "@/lib/catalog/themes.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { setGem } from "@/lib/discovery/gems.ts";
import { audited } from "@/lib/operator/actions.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { listReports } from "@/lib/operator/reports.ts";
import { CLOSE } from "../auctions/bidding.ts";
import { theme } from "../guestbook/signing.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { failingKv } from "../support/kv_with.ts";
import { submit } from "../support/listings.ts";
import { callTool } from "../support/mcp.ts";
import { operator } from "../support/operator.ts";
import { AUCTION_ID, AUCTION_NOW, paidApp } from "../support/payments.ts";
import { share } from "../support/skills.ts";
import { words } from "../support/words.ts";

Deno.test("pages show the operator's name and address if they are set", async () => {
  const pages: [path: string, sentence: string][] = [
    ["/about", "Write to ask@example.org."],
    [
      "/privacy",
      "Projectory is run by Ada Works. Questions or deletion requests: ask@example.org.",
    ],
    [
      "/terms",
      "Contact Projectory is run by Ada Works. Questions about these terms: ask@example.org.",
    ],
    ["/help?q=xyzzy", "Try fewer or simpler words, or ask the operator."],
  ];
  await using app = await testApp({
    env: { CONTACT_EMAIL: "ask@example.org", OPERATOR_NAME: "Ada Works" },
  });
  await using silent = await testApp();
  for (const [path, sentence] of pages) {
    assertStringIncludes(await words(app, path), sentence);
    const html = await app.text(path);
    assertStringIncludes(html, 'href="mailto:ask@example.org"');
    const without = await silent.request(path);
    assert(!(await without.text()).includes("mailto:"), path);
  }
  assertStringIncludes(
    await words(silent, "/help?q=xyzzy"),
    "Try fewer or simpler words, or report a problem.",
  );
});

Deno.test("a description that repeats the tagline isn't shown", async () => {
  await using app = await testApp();
  const tagline = "Holds every kind of ink";
  const { project } = await submit(app, { tagline, description: tagline });
  const shown = await words(app, `/p/${project.slug}`);
  assertEquals(shown.split(tagline).length, 2);
});

Deno.test("/ai-of-the-day, the home page and the tool say which theme the site uses, and why", async () => {
  await using app = await testApp();
  const said = () => words(app, "/ai-of-the-day");
  const home = () => words(app, "/");
  const told = async () => (await callTool(app, "ai_of_the_day")).content[0].text;
  assertStringIncludes(await said(), "Until there is a winner, the site follows your system's");
  const sign = (agentName: string, themeProposal?: unknown) =>
    app.json("/api/v1/guestbook", { json: { agentName, catchphrase: "Hello", themeProposal } });
  await sign("Claude", theme);
  app.clock.advance(DAY_MS);
  assertStringIncludes(await said(), `Its theme, ${theme.name}, was proposed by Claude.`);
  await sign("Claude");
  app.clock.advance(DAY_MS);
  assertStringIncludes(await said(), "one of ours, Kiln.");
  assertStringIncludes(await home(), "AI of the Day Anthropic Today's theme: Kiln");
  await setThemeControl(app.deps, { override: "amber" });
  app.clock.advance(2_000);
  assertStringIncludes(await said(), "The operator chose the theme Amber.");
  assertStringIncludes(await home(), "Anthropic The operator picked the theme Amber");
  assertStringIncludes(await told(), "The operator chose the theme **Amber**.");
  await setThemeControl(app.deps, { enabled: false });
  app.clock.advance(2_000);
  assertStringIncludes(await said(), "Daily themes are switched off.");
  assertStringIncludes(await home(), "Anthropic Daily themes are off");
  assertStringIncludes(await told(), "Daily themes are switched off.");
});

Deno.test("an entry shows who submitted it, when it was edited, and why it was picked", async () => {
  await using app = await testApp();
  const { project: { slug }, editKey } = await submit(app, { submittedBy: "Ann" });
  const before = await words(app, `/p/${slug}`);
  assertStringIncludes(before, "Submitted by Ann");
  for (const word of ["Updated", "Why the scout picked it"]) assert(!before.includes(word), word);
  app.clock.advance(DAY_MS);
  await setGem(app.deps, { slug, note: "Worth a look" });
  await app.json(`/api/v1/projects/${slug}`, {
    method: "PATCH",
    json: { tagline: "Another" },
    editKey,
  });
  await app.deps.sync.caughtUp();
  const after = await words(app, `/p/${slug}`);
  assertStringIncludes(after, "Hidden gem Worth a look");
  assertStringIncludes(after, "Listed Mar 4, 2026 Updated Mar 5, 2026");
});

Deno.test("a project shows its monogram under our copy of its logo, and nothing is loaded from other sites", async () => {
  await using app = await testApp();
  const logoUrl = "https://logo.example.com/l.png";
  const { project } = await submit(app, { name: "Release notes", accent: "Iris", logoUrl });
  const plain = await submit(app, { name: "No Logo", accent: "Iris" });
  const tile = (monogram: string, picture = "") =>
    new RegExp(`<span class="tile[^"]* a-iris" aria-hidden="true">${monogram}${picture}</span>`);
  for (const path of ["/", "/projects", `/p/${project.slug}`]) {
    const response = await app.request(path);
    const html = await response.text();
    assertMatch(html, tile("RN", `<img src="/p/${project.slug}/logo\\.png\\?v=\\w{16}"[^>]*>`));
    assert(!html.includes("logo.example.com"), path);
    assert(!/img-src[^;]*https:/.test(response.headers.get("content-security-policy")!), path);
  }
  const html = await app.text(`/p/${plain.project.slug}`);
  assertMatch(html, tile("NL"));
});

Deno.test("submitting a listed URL links to the listing, and a form accepts several choices", async () => {
  await using app = await testApp();
  const tools = ["claude", "codex", "cursor"];
  const form = [
    ["name", "Anvil"],
    ["url", "https://anvil.example.org"],
    ["tagline", "Hammers"],
    ["logoUrl", ""],
    ...tools.map((tool) => ["builtWith", tool]),
  ] as [string, string][];
  await words(app, "/submit", { form });
  const { project } = (await app.json("/api/v1/projects/anvil")).body;
  assertEquals([project.builtWith, project.logoUrl], [tools, null]);
  const again = { form: form.slice(0, -1), address: "198.51.100.9" };
  assertStringIncludes(
    await words(app, "/submit", again),
    "See the project. If you just submitted it,",
  );
});

Deno.test("a sent report reaches the operator, is acknowledged and links back to the entry", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const sent = await app.request(`/p/${slug}/report`, { form: { reason: "spam", note: "Ads" } });
  assertEquals(sent.status, 303);
  const said = await words(app, sent.headers.get("location")!);
  assertMatch(said, /Sent Thanks\. We'll look into it\. Back to Project \d+/);
  const [report] = await listReports(app.deps);
  assertEquals([report!.slug, report!.reason, report!.note], [slug, "spam", "Ads"]);
});

Deno.test("an error page says how long to wait, in seconds or minutes", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const vote = () => words(app, `/p/${slug}/vote`, { form: {} });
  for (let i = 0; i < 119; i++) await app.request(`/p/${slug}/vote`, { form: {} });
  app.clock.set(TEST_NOW + 60_000);
  await app.request(`/p/${slug}/vote`, { form: {} });
  assertStringIncludes(await vote(), "Nothing was changed. Try again in 59 minutes.");
  app.clock.set(TEST_NOW + 3_600_000 - 89_000);
  assertStringIncludes(await vote(), "Nothing was changed. Try again in 89 seconds.");
});

Deno.test("an error page names the invalid parameter, and a 404 offers a search", async () => {
  await using app = await testApp();
  const wrong = await words(app, "/projects?limit=x");
  assertStringIncludes(wrong, "This link isn't valid");
  assertStringIncludes(wrong, "limit: Must be a whole number from 1 to 100");
  for (const other of ["Nothing public", "Try again"]) assert(!wrong.includes(other), other);
  const refused = await words(app, "/about", { method: "POST" });
  assertStringIncludes(refused, "405 Method not allowed for this URL Back");
  const lost = await words(app, "/p/never-was");
  assertStringIncludes(lost, "404 Page not found We can't find that page.");
  const search = 'role="search"';
  for (const [path, expected] of [["/projects?limit=x", false], ["/p/never-was", true]] as const) {
    const html = await app.text(path);
    assertEquals(html.slice(html.indexOf("<main")).includes(search), expected, path);
  }
});

Deno.test("an error's first link leads to the entry whose vote failed or to the page without its query", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const skill = (await share(app)).slug;
  const first = async (path: string, form?: Record<string, string>) => {
    const answer = await app.request(path, { form });
    const [, href, name] = /<main.*?<a href="([^"]*)"[^>]*>([^<]*)/s.exec(await answer.text())!;
    return [answer.status, href, name];
  };
  for (const [kind, entry] of [["project", `/p/${slug}`], ["skill", `/skills/${skill}`]] as const) {
    for (let i = 0; i < 120; i++) await app.request(`${entry}/vote`, { form: {} });
    assertEquals(await first(`${entry}/vote`, {}), [429, entry, `Back to the ${kind}`]);
  }
  const plain = "This page without filters";
  for (const path of ["/projects", "/skills", "/c/saas", "/t/claude", "/poll"]) {
    assertEquals(await first(`${path}?sort=x&window=x`), [400, path, plain]);
  }
  assertEquals(await first("/about", {}), [405, "/", "Back to the home page"]);
});

Deno.test("an auction shows its remaining time in days, hours and minutes", async () => {
  const close = Date.parse("2026-11-22T00:00:00Z");
  for (
    const [before, said] of [
      [2 * DAY_MS + 3 * HOUR_MS + 4 * MINUTE_MS, "in 2 d 3 h 4 min"],
      [DAY_MS, "in 1 d 0 h 0 min"],
      [3 * HOUR_MS + 1, "in 3 h 1 min"],
      [59 * MINUTE_MS, "in 59 min"],
      [1, "in 1 min"],
    ] as const
  ) {
    await using app = await testApp({ now: close - before });
    assertStringIncludes(await words(app, "/auctions/front-row-2026-11-23"), `UTC ${said}`);
  }
});

Deno.test("a pager shows its range and keeps the filters, even on the last page and beyond, or if the URL counts pages", async () => {
  await using app = await testApp();
  for (let i = 0; i < 3; i++) await submit(app, { category: "saas" });
  const list = "/projects?category=saas&limit=";
  for (
    const [query, said, links] of [
      ["2", "1–2 of 3 Next →", [`${list}2&offset=2`]],
      ["1&offset=1", "← Previous 2–2 of 3 Next →", [`${list}1`, `${list}1&offset=2`]],
      ["2&offset=2", "← Previous 3–3 of 3", [`${list}2`]],
      ["1&offset=3", "← Previous None of 3", [`${list}1&offset=2`]],
      ["1&page=2", "← Previous 2–2 of 3 Next →", [`${list}1`, `${list}1&offset=2`]],
      ["1&page=2&offset=2", "← Previous 3–3 of 3", [`${list}1&offset=1`]],
      ["2&page=0", "1–2 of 3 Next →", [`${list}2&offset=2`]],
      ["3", null, []],
    ] as const
  ) {
    const path = list + query;
    const html = await app.text(path);
    const [, nav] = /<nav class="pager"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
    assertEquals(nav?.replace(/<[^>]+>/g, "").trim() ?? null, said, path);
    const hrefs = [...(nav ?? "").matchAll(/rel="(?:prev|next)" href="([^"]*)"/g)];
    assertEquals(hrefs.map(([, href]) => href!.replaceAll("&amp;", "&")), [...links], path);
  }
});

Deno.test("the ticker's second copy is hidden from screen readers and the keyboard", async () => {
  await using app = await testApp();
  const { project: { slug, name } } = await submit(app);
  const span = { startsAt: TEST_NOW, endsAt: TEST_NOW + DAY_MS };
  app.deps.catalogue.setPromotion(slug, [{ tierId: "bump-3", ...span }]);
  const home = await app.text("/");
  const lines = home.match(/<ul class="plain ticker-line".*?<\/ul>/gs)!;
  assertEquals(
    lines.map((line) => [/aria-hidden="true">\s*<li/.test(line), line.includes('tabindex="-1"')]),
    [[false, false], [true, true]],
  );
  assert(lines.every((line) => line.includes(name)));
});

Deno.test("standings label open weights and write-ins, with votes and shares", async () => {
  await using app = await testApp();
  const vote = (json: unknown, address: string) => app.json("/api/v1/poll/vote", { json, address });
  await vote({ candidate: "llama" }, "198.51.100.1");
  await vote({ candidate: "llama" }, "198.51.100.2");
  await vote({ candidate: "other", writeIn: "Anvil" }, "198.51.100.3");
  await vote({ candidate: "claude" }, "198.51.100.4");
  const meters = (await app.text("/poll?window=today")).match(/<meter [^>]*>/g)!;
  assertEquals(meters[0], '<meter min="0" max="1" value="0.5" aria-hidden="true">');
  const said = await words(app, "/poll?window=today");
  assertStringIncludes(
    said,
    "1 L Llama Meta · open weights 2 50.0% 2 C Claude Anthropic 1 25.0% 2 A Anvil write-in 1 25.0%",
  );
});

Deno.test("a page uses the visitor's chosen theme and its theme-color", async () => {
  await using app = await testApp();
  for (const { id, palette } of siteThemes.filter(({ id }) => id !== "daily")) {
    const headers = { accept: "text/html", cookie: `theme=${id}` };
    const html = await app.text("/about", { headers });
    assertStringIncludes(html, `<html lang="en" data-theme="${id}">`);
    assertStringIncludes(html, `<meta name="theme-color" content="${palette.bg}"`);
  }
});

Deno.test("/changes lists operator actions with reason and date, without names", async () => {
  await using app = await testApp();
  const log = async () => (await words(app, "/changes")).split("Operator actions")[1]!;
  assertStringIncludes(await log(), "names projects or people. Nothing yet.");
  const { project: { slug, name } } = await submit(app);
  const hide = audited(app.deps, { kind: "listing_hidden", reason: "spam" });
  await moveListing(hide, { slug, step: "hide" });
  app.clock.advance(DAY_MS);
  await moveListing(audited(app.deps, { kind: "gem_set", reason: null }), { slug, step: "unhide" });
  app.clock.advance(10 * MINUTE_MS);
  assertMatch(
    await log(),
    /names projects or people\. ?Mar 5, 2026 Gem set ?Mar 4, 2026 Project hidden: spam ?$/,
  );
  const changes = (await words(app, "/changes")).split("Operator actions")[0]!;
  for (const [event, said] of [["unhidden", "shown again"], ["hidden", "hidden"]]) {
    assertStringIncludes(changes, `Project ${said} ${name}`, event);
  }
});

Deno.test("/changes is grouped by day, latest first, with the time of each change", async () => {
  await using app = await testApp();
  await submit(app, { name: "Inkwell" });
  app.clock.advance(DAY_MS);
  await submit(app, { name: "Pens", url: "https://pens.example.org" });
  app.clock.advance(5 * MINUTE_MS);
  await submit(app, { name: "Ink", url: "https://ink.example.org" });
  const [log] = (await words(app, "/changes")).split("Operator actions");
  assertMatch(
    log!,
    /Mar 5, 2026 ?12:05 Project listed Ink ?12:00 Project listed Pens ?Mar 4, 2026 ?12:00 Project listed Inkwell/,
  );
});

Deno.test("/changes names a project only once if it was edited twice in a minute", async () => {
  await using app = await testApp();
  const { project, editKey } = await submit(app, { name: "Inkwell" });
  for (const tagline of ["One", "Two"]) {
    await app.json(project.apiUrl, {
      method: "PATCH",
      headers: { "x-edit-key": editKey },
      json: { tagline },
    });
  }
  const [log] = (await words(app, "/changes")).split("Operator actions");
  assertMatch(log!, /12:00 Project updated Inkwell ?12:00 Project listed Inkwell/);
});

Deno.test("/tools lists the tools that projects name, most used first", async () => {
  await using app = await testApp();
  assertMatch(await words(app, "/tools"), /No project names its tools yet Submit a project/);
  await submit(app, { builtWith: ["cursor", "human"] });
  await submit(app, { name: "B", url: "https://b.example.org", builtWith: ["human"] });
  const text = await words(app, "/tools");
  assertMatch(text, /Human 2 projects People .*Cursor 1 project Anysphere$/);
});

Deno.test("the heading of a skill list names its order and filters", async () => {
  await using app = await testApp();
  for (
    const [query, heading] of [
      ["", "Hot skills"],
      ["?sort=new&kind=prompt", "New skills: Prompt"],
      ["?sort=copied&worksWith=claude-code", "Most copied skills for Claude Code"],
      ["?sort=top&category=care", "Top skills in Care"],
      ["?tag=pens&category=care", "Hot skills in Care tagged pens"],
      ["?q=pens&tag=pens", "Skills for “pens” tagged pens"],
      [
        "?q=pens&worksWith=claude-code&category=care&kind=prompt",
        "Skills for “pens” that work with Claude Code in Care: Prompt",
      ],
    ]
  ) {
    const html = await app.text(`/skills${query}`);
    assertEquals(/<h1>(.*?)<\/h1>/.exec(html)![1], heading, query);
  }
});

Deno.test("the heading of a project list names each filter and the search", async () => {
  await using app = await testApp();
  for (
    const [query, heading] of [
      ["", "Hot projects"],
      ["?q=pens", "Results for “pens”"],
      [
        "?q=pens&category=saas&tool=cursor&tag=ink&pricing=free",
        "Results for “pens” in SaaS built with Cursor tagged ink, free",
      ],
      ["?sort=new&category=saas&pricing=free", "New projects in SaaS, free"],
      ["?q=pens&gems=1", "Hidden gems for “pens”"],
      ["?promoted=1&tool=cursor", "Promoted projects built with Cursor"],
    ]
  ) {
    const html = await app.text(`/projects${query}`);
    assertEquals(/<h1>(.*?)<\/h1>/.exec(html)![1], heading, query);
  }
});

Deno.test("the Markdown of a list's later page says which entries it shows", async () => {
  await using app = await testApp();
  for (const name of ["A", "B", "C"]) {
    const url = `https://${name}.example.org`;
    await submit(app, { name, url, category: "saas", builtWith: ["cursor"] });
    await share(app, { title: name, content: `Write with pen ${name} alone` });
  }
  for (
    const [path = "", noun] of [["/projects", "projects"], ["/c/saas", "projects"], [
      "/t/cursor",
      "projects",
    ], ["/skills", "skills"]]
  ) {
    for (
      const [query = "", tally] of [
        ["", `3 ${noun}`],
        ["?limit=2", `3 ${noun}`],
        ["?limit=1&offset=1", `2–2 of 3 ${noun}`],
        ["?limit=2&offset=1", `2–3 of 3 ${noun}`],
        ["?offset=3", `3 ${noun}`],
      ]
    ) {
      const twin = await app.text(`${path}.md${query}`);
      assertEquals(/^## (.*)$/m.exec(twin)![1], tally, path + query);
    }
  }
});

Deno.test("/ranking explains every order that lists offer, and always says clicks", async () => {
  await using app = await testApp();
  const text = await words(app, "/ranking");
  for (const order of ["Hot", "New", "Most votes", "Search"]) assertStringIncludes(text, order);
  assertStringIncludes(text, "(votes + clicks × 0.1 + 1)");
  assertEquals(/\bvisits?\b/i.test(text), false);
});

Deno.test("a chart's bars are stacked from the ground up to scale, with the latest on the right", async () => {
  await using app = await testApp();
  for (const visits of [1, 3]) {
    for (let i = 0; i < visits; i++) {
      for (const userAgent of ["Mozilla/5.0 Chrome/130", "GPTBot/1.2"]) {
        await app.request("/about", { userAgent });
      }
    }
    app.clock.advance(DAY_MS);
  }
  app.clock.advance(-DAY_MS);
  await app.request("/about");
  const html = await app.text("/stats");
  const [svg] = /<svg viewBox="0 0 70 100" .*?<\/svg>/s.exec(html)!;
  const [before, last] = svg.split(/<g\b/).slice(1).map((bar) =>
    [...bar.matchAll(/ x="(\S+)" y="(\S+)" width="8" height="(\S+)"/g)]
      .map(([, ...numbers]) => numbers.map((n) => Math.round(Number(n))))
  );
  // The scale ends at 8, and the last bar reaches 7.
  assertEquals(last, [[61, 63, 38], [61, 25, 38], [61, 13, 13]]);
  assertEquals(before, [[51, 88, 13], [51, 75, 13], [51, 75, 0]]);
  const twin = await app.text("/stats.md");
  assertStringIncludes(twin, "| Mar 4, 2026 | 1 | 1 | 0 |\n| Mar 5, 2026 | 3 | 3 | 1 |");
});

Deno.test("a vote without JavaScript returns to the button, which can then remove it", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const skill = (await share(app)).slug;
  for (const path of [`/p/${slug}`, `/skills/${skill}`]) {
    const vote = async (form: Record<string, string>) => {
      const sent = await app.request(`${path}/vote`, { form });
      const to = new URL(sent.headers.get("location")!);
      assertEquals([sent.status, to.pathname], [303, path]);
      const html = await app.text(path);
      assertStringIncludes(html, `id="${to.hash.slice(1)}"`);
      const shown = new RegExp(`<form method="post" action="${path}/vote".*?</form>`, "s").exec(
        html,
      )!;
      return shown[0];
    };
    const given = await vote({});
    assertMatch(given, /<input type="hidden" name="remove" value="1"[^>]*>.*aria-pressed="true"/s);
    assertMatch(given, /aria-label="Upvote [^"]+, 1 vote"/);
    const taken = await vote({ remove: "1" });
    assertEquals([taken.includes('name="remove"'), taken.includes('aria-pressed="false"')], [
      false,
      true,
    ]);
  }
});

Deno.test("an entry's page links its owner to the open auction or all auctions, and to billing if set up", async () => {
  await using app = await paidApp();
  await using free = await testApp({ now: AUCTION_NOW });
  const linksOf = async (app: TestApp) => {
    const { project: { slug } } = await submit(app, { name: "Owned" });
    const html = await app.text(`/p/${slug}`);
    const [, owner] = html.split('id="yours"');
    return [...owner!.split("</main>")[0]!.matchAll(/href="([^"]*)"/g)].map(([, href]) =>
      href!.replace(slug, "x")
    );
  };
  const [edit, promote] = [["/p/x/claim", "/p/x/edit"], "/promote?slug=x"];
  const bid = `/auctions/${AUCTION_ID}?slug=x`;
  assertEquals(await linksOf(free), [...edit, promote, bid]);
  assertEquals(await linksOf(app), [...edit, "/p/x/billing", promote, bid]);
  app.clock.set(CLOSE);
  assertEquals(await linksOf(app), [...edit, "/p/x/billing", promote, "/auctions"]);
});

Deno.test("pages and their Markdown say how old they are while storage fails, and stop once it works", async () => {
  const { kv, storage } = await failingKv();
  await using app = await testApp({ kv });
  await submit(app, { name: "Inkwell" });
  const { tail } = app.deps;
  const paths = ["/projects", "/p/inkwell", "/about", "/projects.md"];
  const said = async () => {
    const texts = await Promise.all(
      paths.map(async (path) => {
        const headers = { accept: path.endsWith(".md") ? "text/markdown" : "text/html" };
        return (await app.text(path, { headers })).replace(/<[^>]+>/g, "");
      }),
    );
    return texts.map((text) => /reach our storage right now.*? UTC/.exec(text)?.[0] ?? null);
  };
  await tail.poll();
  const none = paths.map(() => null);
  assertEquals(await said(), none);

  storage.fails = true;
  await assertRejects(() => tail.poll());
  assertEquals(await said(), none, "a brief failure isn't an outage");
  app.clock.advance(11_000);
  const since =
    "reach our storage right now, so this page may be out of date. Last updated Mar 4, 2026 at 12:00 UTC";
  assertEquals(await said(), paths.map(() => since));
  const times = async (path: string) => {
    const response = await app.request(path);
    return [response.status, (await response.text()).split("reach our storage").length - 1];
  };
  assertEquals(await times("/guestbook"), [200, 1]);
  assertEquals(await times("/nowhere"), [404, 0], "an error page shows nothing outdated");

  storage.fails = false;
  await tail.poll();
  app.clock.advance(1_000);
  assertEquals(await said(), none);
});

Deno.test("a page that needs storage is served from the cache while storage fails, unless an entry changed", async () => {
  const { kv, storage } = await failingKv();
  await using app = await paidApp({ kv });
  const { slug } = (await submit(app, { name: "Inkwell" })).project;
  const status = async (path: string) => {
    const response = await app.request(path);
    const text = await response.text();
    return [response.status, text.split("may be out of date").length - 1];
  };
  const paths = ["/auctions", "/changes", "/auctions.md"];
  for (const path of [...paths, ...paths]) assertEquals(await status(path), [200, 0]);
  await app.request(`/api/v1/projects/${slug}/vote`, { method: "POST" });
  app.clock.advance(MINUTE_MS);
  storage.fails = true;
  for (const path of paths) assertEquals(await status(path), [200, 1], path);
  assertEquals(await status("/help"), [200, 1]);
  const { body } = await app.json("/api/v1/promote");
  assertEquals(body.paymentsOpen, true, "as was last known");

  storage.fails = false;
  await moveListing(app.deps, { slug, step: "hide" });
  storage.fails = true;
  assertEquals((await status("/changes"))[0], 503, "a kept page names what was hidden");
});

Deno.test("cached pages are served past midnight while storage fails, even if the day's theme is unknown", async () => {
  const { kv, storage } = await failingKv();
  await using app = await testApp({ kv });
  await app.json("/api/v1/guestbook", {
    json: { agentName: "Claude", model: "claude", catchphrase: "Hello", themeProposal: theme },
  });
  // A minute before the end of the day that uses the theme.
  app.clock.advance(2 * DAY_MS - MINUTE_MS - app.clock.now() % DAY_MS);
  const read = async () => {
    const response = await app.request("/changes");
    const text = await response.text();
    return [response.status, text.split("may be out of date").length - 1];
  };
  for (let asked = 0; asked < 2; asked++) assertEquals(await read(), [200, 0]);
  storage.fails = true;
  app.clock.advance(30_000);
  assertEquals(await read(), [200, 1]);
  app.clock.advance(HOUR_MS);
  assertEquals(await read(), [200, 1]);
});

Deno.test("no page shows a check-in hidden by another process, or its theme, even if storage then fails", async () => {
  const { kv, storage } = await failingKv();
  await using app = await testApp({ kv });
  await app.json("/api/v1/guestbook", {
    json: { agentName: "Claude Evil", model: "claude", catchphrase: "Hi", themeProposal: theme },
  });
  app.clock.advance(DAY_MS);
  const read = async () => {
    const response = await app.request("/ai-of-the-day");
    return [response.status, (await response.text()).includes("Claude Evil")];
  };
  const colors = async () => (await app.text("/themes.css")).includes(theme.bg);
  assertEquals([await read(), await colors()], [[200, true], true]);
  app.clock.advance(400);
  const hiding = ["hide", "2026-03-04", "Claude Evil", "--reason", "spam"];
  assertEquals((await operator(app, "checkins", ...hiding)).status, 0);
  app.clock.advance(50);
  await submit(app);
  assertEquals(await read(), [200, false]);
  storage.fails = true;
  app.clock.advance(HOUR_MS);
  assertEquals([(await read())[1], await colors()], [false, false]);
});
