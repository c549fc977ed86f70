import {
  assert,
  assertEquals,
  assertMatch,
  assertStrictEquals,
  assertStringIncludes,
} from "@std/assert";
import { marked, type Tokens } from "marked";
import { openApi } from "@/lib/app/openapi.ts";
import { allowedMethods } from "@/lib/app/operations.ts";
import { TIER_RANK } from "@/lib/catalog/tiers.ts";
import { DAY_MS, MINUTE_MS } from "@/lib/clock.ts";
import { FULL_PAGE } from "@/lib/documents/llms.ts";
import { helpMarkdown } from "@/lib/help/service.ts";
import { placementLabel } from "@/lib/listings/markdown.ts";
import { TOOL_DEFINITIONS } from "@/lib/mcp/server.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { escapeXml } from "@/lib/text/escape.ts";
import { TEST_NOW, type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";
import {
  assertJson,
  assertXml,
  JSON_FEED,
  LINK_SET,
  MCP_DISCOVERY,
  SERVER_CARD,
} from "./schemas.ts";

const HOSTILE = "]]></description><item><title>x & <b> \"'&lt; # Heading [x](https://evil.example)";

/** An app with a promoted, a sponsored, a gem and a hostile listing, and skills. */
async function filledApp(): Promise<TestApp> {
  const app = await testApp();
  const span = { startsAt: TEST_NOW - DAY_MS, endsAt: TEST_NOW + DAY_MS };
  const slugs: string[] = [];
  for (const name of ["Spotlit", "Boosted", "Bumped", "Sponsored", "Gem", HOSTILE.slice(0, 60)]) {
    const { project } = await submit(app, {
      name,
      tagline: HOSTILE,
      description: `${HOSTILE}\n\n# Heading\n\n- item`,
      category: "saas",
      builtWith: ["claude"],
      submittedBy: "A <b> & agent",
    });
    slugs.push(project.slug);
  }
  const { catalogue } = app.deps;
  for (const [n, tierId] of TIER_RANK.entries()) {
    catalogue.setPromotion(slugs[n]!, [{ tierId, ...span }]);
  }
  catalogue.setFrontRow([{ slug: slugs[3]!, ...span }]);
  catalogue.setGem(slugs[4]!, { note: "Full entry, few votes", since: TEST_NOW });
  await share(app, { title: HOSTILE.slice(0, 80), summary: HOSTILE });
  return app;
}

async function read(app: TestApp, path: string, type: string): Promise<string> {
  const response = await app.request(path);
  const text = await response.text();
  assertEquals(response.status, 200, `${path}: ${text.slice(0, 300)}`);
  assertEquals(response.headers.get("content-type"), type, path);
  assert(response.headers.get("etag"), path);
  return text;
}

const FEEDS = ["", "/c/saas", "/t/claude", "/gems", "/skills"];

Deno.test("every RSS feed is valid RSS 2.0, links to itself and labels paid listings", async () => {
  await using app = await filledApp();
  for (const scope of FEEDS) {
    const path = `${scope}/feed.xml`;
    const xml = await read(app, path, "application/rss+xml; charset=utf-8");
    await assertXml(xml, "rss");
    assertStringIncludes(xml, `<atom:link href="http://projectory.test${path}" rel="self"`);
    assertEquals(xml.match(/<channel>/g)!.length, 1);
    assertEquals(xml.includes("evil.example]"), false, path);
  }
  const all = await read(app, "/feed.xml", "application/rss+xml; charset=utf-8");
  assertEquals(all.match(/<item>/g)!.length, 6);
  for (const label of ["Promoted: Spotlight", "Sponsored: Front Row", "Hidden gem:"]) {
    assertStringIncludes(all, label);
  }
  assertEquals(
    (await read(app, "/gems/feed.xml", "application/rss+xml; charset=utf-8")).match(/<item>/g)!
      .length,
    1,
  );
});

Deno.test("the gems feed links to the page that lists gems, and /gems redirects there", async () => {
  await using app = await testApp();
  const { home_page_url: home } = await (await app.request("/gems/feed.json")).json();
  assertEquals(home, "http://projectory.test/projects?gems=1");
  const { status, headers } = await app.request("/gems", { redirect: "manual" });
  assertEquals([status, headers.get("location")], [308, "/projects?gems=1"]);
});

Deno.test("the gems feed dates gems by when they were picked, newest first", async () => {
  await using app = await testApp();
  for (const name of ["Early", "Late"]) await submit(app, { name });
  const since = { early: TEST_NOW + DAY_MS, late: TEST_NOW + DAY_MS - 1 };
  for (const [slug, at] of Object.entries(since)) {
    app.deps.catalogue.setGem(slug, { note: "Full", since: at });
  }
  const { items } = (await app.json("/gems/feed.json")).body;
  assertEquals(
    items.map((item: Record<string, string>) => [
      item.title,
      item.date_published,
      item.date_modified,
    ]),
    [["Early", since.early], ["Late", since.late]].map(([name, at]) => {
      const iso = new Date(at!).toISOString();
      return [name, iso, iso];
    }),
  );
});

Deno.test("every JSON feed fits the JSON Feed 1.1 schema and has the same items as its RSS twin", async () => {
  await using app = await filledApp();
  for (const scope of FEEDS) {
    const body = await read(app, `${scope}/feed.json`, "application/feed+json; charset=utf-8");
    assertJson(body, JSON_FEED);
    const xml = await app.text(`${scope}/feed.xml`);
    const guids = [...xml.matchAll(/<guid[^>]*>([^<]+)</g)].map(([, guid]) => guid);
    const ids = JSON.parse(body).items.map(({ id }: { id: string }) => id);
    assertEquals(ids, guids, scope);
    assertEquals(new Set(ids).size, ids.length);
  }
});

Deno.test("a feed starts with the newest entries, regardless of votes", async () => {
  await using app = await testApp();
  for (const name of ["One", "Two", "Three"]) {
    await submit(app, { name });
    await share(app, { title: name });
    app.clock.advance(MINUTE_MS);
  }
  for (const list of ["projects", "skills"]) {
    await app.request(`/api/v1/${list}/one/vote`, { method: "POST" });
  }
  for (const path of ["/feed.json", "/skills/feed.json"]) {
    const { items } = await (await app.request(path)).json();
    const titles = items.map(({ title }: { title: string }) => title);
    assertEquals(titles, ["Three", "Two", "One"], path);
  }
});

Deno.test("terms, about and llms.txt say that listings aren't endorsed, and terms that sales are final", async () => {
  await using app = await testApp();
  const read = async (path: string) => (await app.text(path)).replace(/\s+/g, " ");
  for (const path of ["/terms", "/about", "/llms.txt"]) {
    assertStringIncludes(await read(path), "not reviewed, tested or endorsed", path);
  }
  assertStringIncludes(await read("/terms"), "All sales are final.");
});

Deno.test("a feed's labels are HTML elements, which a tagline can't forge", async () => {
  await using app = await testApp();
  const { project } = await submit(app, { tagline: "Forged <strong>Promoted: Boost</strong>" });
  const { catalogue } = app.deps;
  const span = { startsAt: TEST_NOW, endsAt: TEST_NOW + DAY_MS };
  const feed = async () => JSON.parse(await app.text("/feed.json")).items[0];
  const forged = "Forged &lt;strong&gt;Promoted: Boost&lt;/strong&gt;";
  assertEquals((await feed()).content_html, forged);
  catalogue.setPromotion(project.slug, [{ tierId: "bump-3", ...span }]);
  const html = `${forged} <strong>Promoted: Bump</strong>`;
  assertEquals((await feed()).content_html, html);
  assertStringIncludes(await app.text("/feed.xml"), escapeXml(html));
});

Deno.test("both feed formats show the fields of each item's record", async () => {
  await using app = await testApp();
  const { project } = await submit(app, {
    category: "saas",
    tags: ["fast"],
    builtWith: ["claude"],
    submittedBy: "Ann",
  });
  await share(app, {
    category: "dev-tool",
    tags: ["git"],
    worksWith: ["codex"],
    origin: "third-party",
    sourceUrl: "https://source.example.com/",
    license: "MIT",
    author: "Ben",
  });
  const label = "<strong>Third-party: not written by the submitter</strong>";
  for (
    const [scope, tags, author, said, external] of [
      ["", ["saas", "fast", "claude"], "Ann", project.tagline, project.goUrl],
      ["/skills", ["skill-md", "dev-tool", "git", "codex"], "Ben", label, undefined],
    ] as const
  ) {
    const { items: [item] } = (await app.json(`${scope}/feed.json`)).body;
    assertEquals([item.tags, item.authors, item.external_url], [
      tags,
      [{ name: author }],
      external,
    ]);
    assertStringIncludes(item.content_html, said);
    const xml = await app.text(`${scope}/feed.xml`);
    const all = (name: string) =>
      [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text]) => text);
    assertEquals([all("category"), all("dc:creator")], [tags, [author]]);
    assertEquals(all("pubDate"), ["Wed, 04 Mar 2026 12:00:00 GMT"]);
  }
  app.clock.advance(MINUTE_MS);
  await share(app, {}, { headers: { "x-agent-name": "Cid" } });
  for (const [path, name] of [["/c/design", "Design"], ["/t/ollama", "Ollama"]]) {
    const empty = await app.text(`${path}/feed.xml`);
    assertMatch(empty, new RegExp(`<title>Projectory: .*${name}.*</title>`));
    assert(!empty.includes("<item>"), empty);
  }
  const [item] = (await app.json("/skills/feed.json")).body.items;
  assertEquals([item.authors, item.tags], [[{ name: "Cid" }], ["skill-md"]]);
  assert(!item.content_html.includes("<strong>"), item.content_html);
});

Deno.test("a feed of an unknown category or tool is not_found", async () => {
  await using app = await testApp();
  for (
    const path of ["/c/none/feed.xml", "/c/none/feed.json", "/t/none/feed.xml", "/t/none/feed.json"]
  ) {
    const { status, body } = await app.json(path);
    assertEquals([status, body.error.code], [404, "not_found"], path);
  }
});

Deno.test("/sitemap.xml has all listings and skills with their lastmod, and drops a hidden one immediately", async () => {
  await using app = await filledApp();
  const xml = await read(app, "/sitemap.xml", "application/xml; charset=utf-8");
  await assertXml(xml, "sitemap");
  assertStringIncludes(xml, "<loc>http://projectory.test/c/saas</loc>");
  const { body: { projects } } = await app.json("/api/v1/projects");
  const { body: { skills } } = await app.json("/api/v1/skills");
  assert(projects.length > 0 && skills.length > 0);
  for (const { page, updatedAt } of [...projects, ...skills]) {
    assertStringIncludes(xml, `<loc>${page}</loc><lastmod>${updatedAt}</lastmod>`);
  }
  const { project } = await submit(app);
  const grown = await app.text("/sitemap.xml");
  assertStringIncludes(grown, `<loc>${project.page}</loc>`);
  await moveListing(app.deps, { slug: project.slug, step: "hide" });
  assertEquals(await app.text("/sitemap.xml"), xml);
});

Deno.test("/sitemap.xml with more than 2,000 URLs is an index of valid parts", async () => {
  await using app = await filledApp();
  const { catalogue } = app.deps;
  Object.defineProperty(catalogue, "size", { value: 2_000, writable: true });
  const index = await read(app, "/sitemap.xml", "application/xml; charset=utf-8");
  await assertXml(index, "sitemap_index");
  const parts = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) =>
    new URL(url!).pathname
  );
  assertEquals(parts, [
    "/sitemaps/pages.xml",
    "/sitemaps/projects-1.xml",
    "/sitemaps/skills-1.xml",
  ]);
  for (const part of parts) {
    await assertXml(await read(app, part, "application/xml; charset=utf-8"), "sitemap");
  }
  const projects = await app.text(parts[1]!);
  const { body } = await app.json("/api/v1/projects");
  for (const { page, updatedAt } of body.projects) {
    assertStringIncludes(projects, `<loc>${page}</loc><lastmod>${updatedAt}</lastmod>`);
  }
  for (const path of ["/sitemaps/projects-2.xml", "/sitemaps/pages-1.xml", "/sitemaps/x.xml"]) {
    assertEquals((await app.json(path)).status, 404, path);
  }
  // As if a part began with the second of the six projects.
  const list = catalogue.list.bind(catalogue);
  Object.defineProperty(catalogue, "size", { value: 2_001 });
  catalogue.list = (query) => list({ ...query, offset: query.offset! / 2_000 });
  const rest = await read(app, "/sitemaps/projects-2.xml", "application/xml; charset=utf-8");
  assertEquals(rest.match(/<loc>/g)!.length, 5);
});

Deno.test("/llms.txt puts the Front Row first, then Spotlight and Boost, all labeled, and states its size", async () => {
  await using app = await filledApp();
  const text = await read(app, "/llms.txt", "text/plain; charset=utf-8");
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  assertEquals(headings, [
    "Front Row (sponsored)",
    "Promoted",
    "Use it",
    "Most votes",
    "New",
    "Bumped (promoted)",
    "Hidden gems (not for sale)",
    "Skills (agent instructions, most copied)",
    "Categories",
  ]);
  const section = (title: string) => text.split(`## ${title}`)[1]!.split("\n## ")[0]!.trim();
  assertMatch(
    section("Front Row (sponsored)"),
    /^- \[Sponsored\]\([^)]*\): \*\*sponsored: true \(Front Row\)\*\*: ./,
  );
  const promoted = section("Promoted").split("\n").map((line) =>
    /: \*\*([^*]*)\*\*: /.exec(line)![1]
  );
  assertEquals(promoted, [
    "promoted: true (Spotlight)",
    "promoted: true (Boost)",
  ]);
  assertMatch(
    section("Bumped (promoted)"),
    /^- \[Bumped\]\([^)]*\): \*\*promoted: true \(Bump\)\*\*: ./,
  );
  for (const title of ["Most votes", "New"]) {
    assertEquals(section(title).split("\n").length, 6, title);
    assertMatch(
      section(title),
      /^- \[Gem\]\(http:\/\/projectory\.test\/p\/gem\.md\): .*evil\.example\)$/m,
    );
  }
  assertMatch(section("Hidden gems (not for sale)"), /^- \[Gem\]\([^\n]*$/);
  assertMatch(section("Skills (agent instructions, most copied)"), /^- \[.*\(skill-md\)$/);
  assertMatch(
    section("Categories"),
    /^- \[SaaS.*\(.*\/c\/saas\.md\): .* 6 projects\n(- .* 0 projects\n?)+$/,
  );
  assertMatch(text, /^Live projects: 6\. /m);
  assertMatch(text, /^# Projectory\n\n> /);
  assertEquals(text.match(/^# /gm)!.length, 1);
});

Deno.test("/llms.txt lists promoted projects in the order of the strip", async () => {
  await using app = await testApp();
  const { catalogue } = app.deps;
  const slugs: string[] = [];
  // The newer a project is, the later its promotion ends.
  for (
    const [day, tierId] of ["boost-7", "boost-7", "spotlight-30", "bump-3", "bump-3"].entries()
  ) {
    const { project } = await submit(app, { name: `Day ${day}`, url: `https://d${day}.example` });
    const span = { startsAt: TEST_NOW, endsAt: TEST_NOW + (day + 1) * DAY_MS };
    catalogue.setPromotion(project.slug, [{ tierId: tierId as "boost-7", ...span }]);
    slugs.push(project.slug);
    app.clock.advance(1_000);
  }
  const text = await app.text("/llms.txt");
  const listed = ["Promoted", "Bumped (promoted)"].flatMap((title) => {
    const section = text.split(`## ${title}\n`)[1]!.split("\n## ")[0]!;
    return [...section.matchAll(/\/p\/([^.]+)\.md/g)].map(([, slug]) => slug);
  });
  assertEquals(listed, [slugs[2], slugs[0], slugs[1], slugs[3], slugs[4]]);
});

Deno.test("/llms.txt gives the full path of each call that an agent can make", async () => {
  await using app = await testApp();
  const text = await read(app, "/llms.txt", "text/plain; charset=utf-8");
  const calls = [...text.matchAll(/\b(GET|POST) (\/[\w/]+)/g)];
  for (const [call, method, path] of calls) {
    assert(allowedMethods(path!)?.includes(method!), call);
  }
  assertEquals(calls.map(([, , path]) => path), [
    "/api/v1/projects",
    "/api/v1/projects",
    "/api/v1/poll/vote",
    "/api/v1/guestbook",
  ]);
});

for (
  const [sponsored, promotion, label] of [
    [false, null, null],
    [true, null, "Sponsored: Front Row"],
    [false, "Boost", "Promoted: Boost"],
    [true, "Boost", "Sponsored: Front Row; Promoted: Boost"],
  ] as const
) {
  Deno.test(`the label of a listing's paid placement: ${label}`, () => {
    const shown = promotion && { tierId: "boost-7", name: promotion, endsAt: "" } as const;
    assertEquals(placementLabel({ sponsored, promotion: shown }), label);
  });
}

Deno.test("/llms-full.txt lists every project once on pages that link to each other", async () => {
  await using app = await testApp();
  const total = FULL_PAGE + 1;
  for (let i = 0; i < total; i++) await submit(app, { name: `Project number ${i}` });
  const span = { startsAt: TEST_NOW, endsAt: TEST_NOW + DAY_MS };
  const promotion = { tierId: "boost-7", ...span } as const;
  app.deps.catalogue.setPromotion("project-number-0", [promotion]);
  const first = await read(app, "/llms-full.txt", "text/plain; charset=utf-8");
  const second = await read(app, "/llms-full.txt?page=2", "text/plain; charset=utf-8");
  const named = (text: string) => text.match(/^### Project number \d+$/gm)!;
  assertEquals(new Set([...named(first), ...named(second)]).size, total);
  assertStringIncludes(first, "Next page: <http://projectory.test/llms-full.txt?page=2>");
  assertStringIncludes(second, "Previous page: <http://projectory.test/llms-full.txt>");
  assertEquals([first, second].map((text) => text.includes("\n## Sponsored and promoted\n")), [
    true,
    false,
  ]);
  for (const query of ["page=3", "page=0", "page=x", "page=1&page=2"]) {
    const { status } = await app.json(`/llms-full.txt?${query}`);
    assertEquals(status, query === "page=3" ? 404 : 400, query);
  }
});

Deno.test("/llms-full.txt starts with the paid listings", async () => {
  await using app = await filledApp();
  const text = await read(app, "/llms-full.txt", "text/plain; charset=utf-8");
  const [head, paid] = text.split(/^## /m);
  assertMatch(
    head!,
    /^# Projectory: all projects, page 1 of 1\n\n.*not reviewed, tested or endorsed/,
  );
  assertMatch(head!, /^6 live projects, newest first; 6 on this page\.$/m);
  const [title, ...lines] = paid!.trim().split("\n").filter(Boolean);
  assertEquals(title, "Sponsored and promoted");
  assertEquals(lines.map((line) => /^- \[(.*?)\]/.exec(line)![1]), [
    "Sponsored",
    "Spotlit",
    "Boosted",
  ]);
});

Deno.test("/llms-full.txt of an empty directory says so, without an empty section", async () => {
  await using app = await testApp();
  const text = await read(app, "/llms-full.txt", "text/plain; charset=utf-8");
  assertStringIncludes(text, "No projects yet.");
  assert(!text.includes("## Projects"), text);
});

Deno.test("a project's name can't pose as a section title in llms-full.txt", async () => {
  await using app = await testApp();
  await submit(app, { name: "Sponsored and promoted" });
  const text = await read(app, "/llms-full.txt", "text/plain; charset=utf-8");
  assertEquals(text.match(/^## .*$/gm), ["## Projects"]);
});

Deno.test("generated documents are cached until something public changes", async () => {
  await using app = await filledApp();
  const list = app.deps.catalogue.list.bind(app.deps.catalogue);
  let lists = 0;
  app.deps.catalogue.list = (query) => {
    lists++;
    return list(query);
  };
  for (
    const path of [
      "/llms.txt",
      "/llms-full.txt",
      "/feed.xml",
      "/feed.json",
      "/sitemaps/projects-1.xml",
    ]
  ) {
    await app.request(path);
    const before = lists;
    const again = await app.request(path);
    const etag = again.headers.get("etag")!;
    assertEquals(lists, before, path);
    assertEquals((await app.request(path, { headers: { "if-none-match": etag } })).status, 304);
    await submit(app);
    app.clock.advance(2 * MINUTE_MS);
    const changed = await app.request(path);
    assert(changed.headers.get("etag") !== etag, path);
  }
});

Deno.test("the OpenAPI document is kept, whatever changes", async () => {
  await using app = await testApp();
  const made = openApi(app.deps);
  await submit(app);
  assertStrictEquals(openApi(app.deps), made);
});

Deno.test("the well-known documents fit their schemas, and their links work", async () => {
  await using app = await testApp();
  const json = "application/json; charset=utf-8";
  assertJson(await read(app, "/.well-known/mcp.json", json), MCP_DISCOVERY);
  const cardType = "application/mcp-server-card+json";
  const card = await read(app, "/.well-known/mcp/server-card.json", cardType);
  assertJson(card, SERVER_CARD);
  assertEquals(card, await read(app, "/api/mcp/server-card", cardType));
  const catalog = await read(app, "/.well-known/api-catalog", "application/linkset+json");
  assertJson(catalog, LINK_SET);
  const home = await app.request("/");
  const links: [url: string, type: string | null][] = [
    ...[...catalog.matchAll(/"href":"([^"]+)","type":"([^"]+)"/g)].map((m) => [m[1]!, m[2]!]),
    ...[...home.headers.get("link")!.matchAll(/<(http[^>]+)>; rel="[^"]+"; type="([^"]+)"/g)]
      .map((m) => [m[1]!, m[2]!]),
    ...[...catalog.matchAll(/"anchor":"([^"]+)"/g)].map((m) => [m[1]!, null]),
  ] as [string, string | null][];
  assert(links.length > 12, String(links.length));
  for (const [url, type] of links) {
    const { pathname } = new URL(url);
    if (pathname === "/api/mcp") continue;
    const response = await app.request(pathname);
    assertEquals(response.status, 200, pathname);
    const served = response.headers.get("content-type")!.split(";")[0];
    if (type !== null) assertEquals(served, type, pathname);
  }
});

Deno.test("mcp.json and the server card list every tool and revision of the MCP endpoint", async () => {
  await using app = await testApp();
  const { protocolVersions, tools } = (await app.json("/.well-known/mcp.json")).body;
  assertEquals(protocolVersions, ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"]);
  assertEquals(
    tools,
    TOOL_DEFINITIONS.map(({ name, title, description }) => ({ name, title, description })),
  );
  const card = (await app.json("/.well-known/mcp/server-card.json")).body;
  assertEquals(card.remotes[0].supportedProtocolVersions, protocolVersions);
  assertEquals(card._meta[card.name].tools, tools);
  for (const version of protocolVersions) {
    const isModern = version === "2026-07-28";
    const params = isModern
      ? {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": version,
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      }
      : { protocolVersion: version, capabilities: {}, clientInfo: { name: "x", version: "1" } };
    const method = isModern ? "server/discover" : "initialize";
    const response = await app.request("/api/mcp", {
      json: { jsonrpc: "2.0", id: 1, method, params },
      headers: {
        "accept": "application/json, text/event-stream",
        ...(isModern ? { "mcp-protocol-version": version, "mcp-method": method } : {}),
      },
    });
    const text = await response.text();
    assertEquals(response.status, 200, version);
    assertStringIncludes(text, isModern ? "supportedVersions" : `"protocolVersion":"${version}"`);
  }
});

Deno.test("/.well-known/security.txt has what RFC 9116 requires, and expires within a year", async () => {
  for (
    const [env, contact] of [[{}, /^https?:/], [
      { CONTACT_EMAIL: "a@example.org" },
      /^mailto:a@example\.org$/,
    ]] as const
  ) {
    await using app = await testApp({ env });
    const text = await read(app, "/.well-known/security.txt", "text/plain; charset=utf-8");
    const fields = new Map(
      text.trim().split("\n").map((line) => line.split(/: (.*)/) as [string, string]),
    );
    assertMatch(fields.get("Contact")!, contact);
    const expires = Date.parse(fields.get("Expires")!) - TEST_NOW;
    assert(expires > 300 * DAY_MS && expires <= 366 * DAY_MS);
    assertEquals(fields.get("Canonical"), "http://projectory.test/.well-known/security.txt");
  }
});

Deno.test("/robots.txt has a Content-Signal, disallows counted links and names the sitemap", async () => {
  await using app = await testApp();
  const text = await read(app, "/robots.txt", "text/plain; charset=utf-8");
  const [group, rest] = text.split("\n\n") as [string, string];
  assertMatch(group, /^User-agent: \*\nContent-Signal: (\w|-)+=(yes|no)(, (\w|-)+=(yes|no))*\n/);
  assertMatch(
    group,
    /\nDisallow: \/go\/\nDisallow: \/checkout\/\nAllow: \/$/,
    "the first match counts",
  );
  assertEquals(rest.trim(), "Sitemap: http://projectory.test/sitemap.xml");
});

Deno.test("badges are well-formed SVG, even for an unknown listing", async () => {
  await using app = await filledApp();
  for (const slug of ["gem", "none"]) {
    await assertXml(await app.text(`/api/v1/projects/${slug}/badge.svg`));
  }
});

Deno.test("/site.webmanifest has this site's name and working icons", async () => {
  await using app = await testApp({ env: { SITE_NAME: "Harbour" } });
  const page = await app.text("/about");
  const [, path] = /<link rel="manifest" href="([^"]+)"/.exec(page)!;
  const manifest = JSON.parse(await read(app, path!, "application/manifest+json"));
  assertEquals([manifest.name, manifest.short_name], ["Harbour", "Harbour"]);
  assertEquals(manifest.icons.length, 2);
  for (const { src } of manifest.icons) {
    const { status, headers } = await app.request(src);
    assertEquals([status, headers.get("content-type")], [200, "image/png"], src);
  }
});

Deno.test("headings of llms.txt and help show this site's name as plain text, even one with Markdown", async () => {
  await using app = await testApp({ env: { SITE_NAME: "*Tide* [& Co](https://a.example)" } });
  for (
    const text of [
      await app.text("/llms.txt"),
      await app.text("/llms-full.txt"),
      helpMarkdown(app.deps),
    ]
  ) {
    const [heading] = marked.lexer(text, { gfm: false }) as Tokens.Heading[];
    const kinds = new Set(heading!.tokens.map(({ type }) => type));
    assertEquals([heading!.depth, kinds], [1, new Set(["escape", "text"])], heading!.raw);
  }
});
