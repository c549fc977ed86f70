import { assert, assertEquals } from "@std/assert";
import { marked } from "marked";
import { type TestApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { callTool } from "../support/mcp.ts";
import { paidApp } from "../support/payments.ts";
import { share } from "../support/skills.ts";

/**
 * The links in a text, by its type. Markdown is rendered first, to find the links that a reader
 * can follow. A bare URL is text: the MCP server's is shown, but doesn't respond to GET.
 */
function linksOf(text: string, type: string): string[] {
  const html = type.startsWith("text/html")
    ? text
    : marked.parse(text, { async: false, gfm: false });
  return [...html.matchAll(/\b(?:href|src|action)="([^"]*)"/g)]
    .map(([, link]) => link!.replaceAll("&amp;", "&"));
}

/** The ids on a page that a link can jump to. */
function idsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id!));
}

/** Paths of actions, which show nothing on GET. */
const POSTED = /\/(vote|copy|report)$|^\/(theme|votes)$/;

interface Crawled {
  /** Broken links, as `from -> to: why`. */
  broken: string[];
  visited: Set<string>;
}

/** Follows every internal link by GET, starting from some paths. */
async function crawl(
  app: TestApp,
  starts: string[],
  headers: Record<string, string>,
): Promise<Crawled> {
  const { base } = app.deps.urls;
  const queue = starts.map((path) => ({ path, from: "start" }));
  const visited = new Set<string>(starts);
  const anchors: { from: string; path: string; id: string }[] = [];
  const ids = new Map<string, Set<string>>();
  const broken: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { path, from } = next;
    const response = await app.request(path, { headers, redirect: "manual" });
    const type = response.headers.get("content-type") ?? "";
    const text = await response.text();
    if (response.status >= 400) broken.push(`${from} -> ${path}: ${response.status}`);
    if (!/^text\/(html|markdown|plain)/.test(type)) continue;
    if (type.startsWith("text/html")) ids.set(path, idsOf(text));
    // A skill's raw content is a stranger's text.
    if (path.includes("format=raw")) continue;
    for (const link of linksOf(text, type)) {
      if (!URL.canParse(link, base + path)) {
        broken.push(`${path} -> ${link}: no URL`);
        continue;
      }
      const url = new URL(link, base + path);
      if (url.origin !== base || POSTED.test(url.pathname)) continue;
      const to = url.pathname + url.search;
      if (url.hash !== "") {
        anchors.push({ from: path, path: to, id: decodeURIComponent(url.hash.slice(1)) });
      }
      if (!visited.has(to)) {
        visited.add(to);
        queue.push({ path: to, from: path });
      }
    }
  }
  for (const { from, path, id } of anchors) {
    const known = ids.get(path);
    if (known !== undefined && !known.has(id)) broken.push(`${from} -> ${path}#${id}: no such id`);
  }
  return { broken, visited };
}

async function filledApp(): Promise<TestApp> {
  const app = await paidApp();
  for (const name of ["Inkwell", "Second (one)", "Third & last"]) {
    await submit(app, {
      name,
      category: "saas",
      builtWith: ["claude", "human"],
      tags: ["tag-one"],
      pricing: "free",
      description: "Lines\n\nof text with https://project.example.com in it",
    });
  }
  for (const kind of ["skill-md", "agents-md", "prompt"]) await share(app, { kind });
  await callTool(app, "check_in", { agentName: "Walker", catchphrase: "On my way" });
  await callTool(app, "vote_best_ai", {
    candidate: "claude",
    reason: "It walks",
    yourName: "Walker",
  });
  return app;
}

/** The URLs in a sitemap. Asserts that there are some. */
function addressesOf(xml: string): string[] {
  const addresses = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!);
  assert(addresses.length > 15, `${addresses.length} addresses`);
  return addresses;
}

Deno.test("a crawl from / finds no broken internal link and reaches every kind of page", async () => {
  await using app = await filledApp();
  const { broken, visited } = await crawl(app, ["/"], { accept: "text/html" });
  assertEquals(broken, []);
  for (
    const page of [
      "/projects",
      "/p/inkwell",
      "/c/saas",
      "/t/claude",
      "/skills",
      "/poll",
      "/guestbook",
    ]
  ) {
    assert(visited.has(page), `${page} is not reached`);
  }
  assert(visited.size > 60, String(visited.size));
});

Deno.test("a crawl of the Markdown twins finds no broken internal link", async () => {
  await using app = await filledApp();
  const { broken, visited } = await crawl(app, ["/index.md"], { accept: "text/markdown" });
  assertEquals(broken, []);
  assert(visited.size > 40, String(visited.size));
});

Deno.test("every link in llms.txt and llms-full.txt works", async () => {
  await using app = await filledApp();
  const { broken, visited } = await crawl(app, ["/llms.txt", "/llms-full.txt"], { accept: "*/*" });
  assertEquals(broken, []);
  assert(visited.has("/p/inkwell.md"), [...visited].join(" "));
});

Deno.test("every URL in the sitemap returns a page with that URL as its canonical", async () => {
  await using app = await filledApp();
  const { base } = app.deps.urls;
  const xml = await app.text("/sitemap.xml");
  for (const url of addressesOf(xml)) {
    const response = await app.request(url.slice(base.length), {
      headers: { accept: "text/html" },
    });
    const html = await response.text();
    assertEquals(response.status, 200, url);
    const canonical = /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1];
    assertEquals(canonical, url, url);
  }
});
