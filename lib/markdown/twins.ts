import type { Middleware } from "fresh";
import type { Answer, Answers } from "../http/answers.ts";
import { cached, entity, etagOf, TYPES, wantsMarkdown } from "../http/respond.ts";
import { STRICT_CSP } from "../http/shared_headers.ts";
import type { State } from "../http/state.ts";
import { hasTwin, pageOfTwin, paths, twinPath, type Urls } from "../urls.ts";
import { markdownFromHtml } from "./from_html.ts";

/** Handles a request from the start, as if a client had sent it. */
export type Serve = (req: Request, info: Deno.ServeHandlerInfo) => Promise<Response>;

/**
 * Serves pages as Markdown too: at their path with `.md` (`/index.md` for home), and if `Accept`
 * prefers text/markdown. If the route itself responds with Markdown, that is sent. Any other page
 * is converted from its HTML, so the two never differ. HTML responses name their Markdown twin in
 * `Link`.
 */
export function markdownTwins<D>(
  deps: { urls: Urls; answers: Answers },
  serve: Serve,
): Middleware<State<D>> {
  const inner = new WeakSet<Request>();

  async function convert(path: string, page: Response): Promise<Answer> {
    const key = `markdown ${path}`;
    const etag = page.headers.get("ETag");
    const known = etag === null ? undefined : deps.answers.get(key, etag);
    if (known !== undefined) return known;
    const html = await page.text();
    const from = etag ?? etagOf(html);
    const canonical = canonicalOf(html);
    return deps.answers.get(key, from) ?? deps.answers.set(key, {
      content: entity(markdownFromHtml(html, deps.urls.to(path)), TYPES.markdown),
      link: canonical && canonicalLink(canonical),
    }, from);
  }

  return async function twin(ctx) {
    const { req, url } = ctx;
    if ((req.method !== "GET" && req.method !== "HEAD") || inner.has(req)) return await ctx.next();
    const path = pageOfTwin(url.pathname);
    if (path === null && !hasTwin(url.pathname)) return await ctx.next();
    if (path === null && !wantsMarkdown(req, "text/html")) {
      return nameTwin(await ctx.next(), deps, url);
    }
    const page = path ?? url.pathname;
    const asked = plainRequest(req, new URL(page + url.search, url));
    inner.add(asked);
    const response = await serve(asked, ctx.info as Deno.ServeHandlerInfo);
    if (response.status !== 200) return response;
    const isPage = response.headers.get("Content-Type")?.startsWith("text/html") ?? false;
    const { headers } = response;
    const { content, link } = isPage ? await convert(page + url.search, response) : {
      content: entity(await response.text(), headers.get("Content-Type")!),
      link: canonicalLink(deps.urls.to(page)),
    };
    const isPrivate = /private/.test(headers.get("Cache-Control") ?? "");
    const answer = isPrivate
      ? new Response(content.body, { headers: { "Content-Type": content.type, "Vary": "Accept" } })
      : cached(ctx, content, { negotiated: true });
    for (const [name, value] of headers) {
      if (!OWN_HEADERS.has(name)) answer.headers.set(name, value);
    }
    answer.headers.set("Content-Security-Policy", STRICT_CSP);
    if (link !== undefined) answer.headers.set("Link", link);
    return answer;
  };
}

/** Headers that describe one representation: the twin has its own. */
const OWN_HEADERS = new Set([
  "content-length",
  "content-type",
  "etag",
  "link",
  "vary",
]);

/**
 * The internal request for a page. It gets the whole page, uncompressed, whatever encodings the
 * client accepts and whichever copy it has.
 */
function plainRequest(req: Request, url: URL): Request {
  const headers = new Headers(req.headers);
  for (const name of ["accept-encoding", "if-none-match"]) headers.delete(name);
  headers.set("accept", TYPES.markdown.split(";")[0]!);
  return new Request(url, { headers });
}

function canonicalLink(url: string): string {
  return `<${url}>; rel="canonical"`;
}

/** The canonical URL from a page's head. A page of search results has none. */
function canonicalOf(html: string): string | undefined {
  const [, address] = /<link rel="canonical" href="([^"]+)"/.exec(html) ?? [];
  return address?.replaceAll("&amp;", "&");
}

/**
 * The longest query that a twin's URL repeats. A prefilled form's query may be kilobytes long, and
 * proxies limit the size of headers.
 */
const NAMED_SEARCH_MAX = 1_500;

/**
 * Adds the headers that name the Markdown twin, with the query of the request, to an HTML response;
 * on the home page, also where programs find the rest.
 */
function nameTwin(response: Response, { urls }: { urls: Urls }, url: URL): Response {
  const isPage = response.headers.get("Content-Type")?.startsWith("text/html") ?? false;
  if (!isPage || response.status >= 400) return response;
  const vary = response.headers.get("Vary") ?? "";
  if (!/\baccept\b(?!-)/i.test(vary)) response.headers.append("Vary", "Accept");
  const search = url.search.length > NAMED_SEARCH_MAX ? "" : url.search;
  const twin = urls.to(twinPath(url.pathname)! + search);
  const links = [`<${twin}>; rel="alternate"; type="text/markdown"`];
  if (url.pathname === paths.home) links.push(...homeLinks(urls));
  response.headers.append("Link", links.join(", "));
  return response;
}

/**
 * `Link` headers of the home page (RFC 8288): where programs find what the page shows to people.
 */
function homeLinks(urls: Urls): string[] {
  const link = (path: string, rel: string, type: string) =>
    `<${urls.to(path)}>; rel="${rel}"; type="${type}"`;
  return [
    link(paths.apiCatalog, "api-catalog", "application/linkset+json"),
    link(paths.openapi, "service-desc", "application/json"),
    link(paths.apiReference, "service-doc", "text/html"),
    link(paths.mcpCard, "describedby", TYPES.serverCard),
    link(paths.ardManifest, "ard", "application/json"),
    link(paths.llms, "describedby", "text/plain"),
    link(paths.feed, "alternate", "application/rss+xml"),
    link(paths.jsonFeed, "alternate", "application/feed+json"),
  ];
}
