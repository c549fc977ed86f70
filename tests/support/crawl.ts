/** Reads the whole public site: every link, every path of the OpenAPI document, every tool. */
import { operations } from "@/lib/app/operations.ts";
import { buildDocument } from "@/lib/openapi/document.ts";
import type { TestApp, TestRequest } from "./app.ts";
import { rpc } from "./mcp.ts";

/** Starting points beyond the links. */
export interface CrawlTargets {
  listing: string;
  skill: string;
  auction: string;
}

/** The maximum number of URLs a crawl visits. */
const VISITS_MAX = 1_500;
/**
 * The maximum number of URLs that differ only in parameter values: half of all links search help.
 */
const ALIKE_MAX = 5;

/**
 * Follows every link and URL of the site from its entry points, and requests each like people and
 * agents do. `send` returns a response's text. Returns the visited URLs.
 */
export async function crawlSite(
  app: TestApp,
  targets: CrawlTargets,
  send: (path: string, init: TestRequest) => Promise<string>,
): Promise<Set<string>> {
  const { env, urls } = app.deps;
  const { listing, skill, auction } = targets;
  const document = buildDocument(operations, env, urls) as {
    paths: Record<string, { get?: unknown }>;
  };
  const reads = Object.entries(document.paths).filter(([, item]) => item.get !== undefined);
  const queue = [
    ...["/", "/sitemap.xml", "/llms.txt", "/llms-full.txt", "/robots.txt", "/feed.xml"],
    ...["/.well-known/mcp.json", "/.well-known/api-catalog", "/.well-known/security.txt"],
    ...["/.well-known/agent-skills/index.json", "/api/v1/operator-log", "/stats", "/changes"],
    ...[`/p/${listing}`, `/p/${listing}.md`, `/p/${listing}/edit`, `/go/${listing}`],
    ...[`/skills/${skill}`, `/skills/${skill}.md`, `/skills/${skill}/SKILL.md`],
    ...[`/skills/${skill}/.well-known/agent-skills/index.json`, "/gems/feed.xml"],
    ...reads.map(([path]) =>
      path.replace("{slug}", path.includes("/skills/") ? skill : listing).replace("{id}", auction)
    ),
    ...["pages", "projects-1", "skills-1"].map((part) => `/sitemaps/${part}.xml`),
    ...["?format=md", "?explain=1", "?q=canary", "?sort=new"].map((q) => `/api/v1/projects${q}`),
    ...["?format=md", "?format=raw"].map((q) => `/api/v1/skills/${skill}${q}`),
    ...["?format=csv", "?format=json"].map((q) => `/api/v1/poll/export${q}`),
  ];
  const seen = new Set<string>();
  const alike = new Map<string, number>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (seen.has(path) || seen.size > VISITS_MAX) continue;
    const { pathname, searchParams } = new URL(path, urls.base);
    const kind = [pathname, ...new Set(searchParams.keys())].join(" ");
    const count = (alike.get(kind) ?? 0) + 1;
    if (count > ALIKE_MAX) continue;
    alike.set(kind, count);
    seen.add(path);
    const text = await send(path, { headers: { accept: "text/html,*/*;q=0.8" } });
    if (!path.startsWith("/api/")) await send(path, { headers: { accept: "text/markdown" } });
    await send(path, { method: "HEAD" });
    queue.push(...linksOf(text, urls.base));
  }
  return seen;
}

/** Paths of this site in a text (HTML, XML, JSON or Markdown). */
function linksOf(text: string, base: string): string[] {
  const absolute = [...text.matchAll(/http:\/\/projectory\.test(\/[^\s"'<>\\)\]`]*)/g)];
  const relative = [...text.matchAll(/href="(\/[^"]*)"/g)];
  return [...absolute, ...relative]
    .map((match) => match[1]!.replaceAll("&amp;", "&").replace(/(?:&quot;.*|[.,])$/, ""))
    .map((path) => new URL(path, base))
    .filter((url) => url.origin === base && !url.pathname.startsWith("/go/"))
    .map((url) => url.pathname + url.search);
}

/**
 * Calls every tool that takes only a slug or nothing, searches, reads every resource and completes
 * the slugs; passes each result as JSON to `keep`.
 */
export async function callReadingTools(
  app: TestApp,
  { listing, skill }: CrawlTargets,
  options: { as: TestRequest; keep: (from: string, text: string) => void },
): Promise<void> {
  const ask = async (from: string, method: string, params: Record<string, unknown>) =>
    options.keep(from, JSON.stringify(await rpc(app, method, params, options.as)));
  const tools = (await rpc(app, "tools/list", {}, options.as)).body.result.tools;
  for (const { name, inputSchema } of tools) {
    const required: string[] = inputSchema.required ?? [];
    if (required.some((field) => field !== "slug")) continue;
    const slug = name.includes("skill") ? skill : listing;
    await ask(name, "tools/call", { name, arguments: required.length > 0 ? { slug } : {} });
  }
  for (const [noun, slug] of [["project", listing], ["skill", skill]] as const) {
    const name = `search_${noun}s`;
    const query = slug.replaceAll("-", " ");
    await ask(`${name} by name`, "tools/call", { name, arguments: { query } });
    const ref = { type: "ref/resource", uri: `directory://${noun}/{slug}` };
    const argument = { name: "slug", value: slug.slice(0, 4) };
    await ask(`${noun} completion`, "completion/complete", { ref, argument });
  }
  const { resources } = (await rpc(app, "resources/list", {}, options.as)).body.result;
  const uris = [
    ...resources.map(({ uri }: { uri: string }) => uri),
    `directory://project/${listing}`,
    `directory://skill/${skill}`,
  ];
  for (const uri of uris) await ask(uri, "resources/read", { uri });
}
