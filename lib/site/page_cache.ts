import type { Context, Middleware } from "fresh";
import type { State } from "../define.ts";
import { cached, type Entity, entity } from "../http/respond.ts";
import { siteLook } from "./look.ts";
import { requestTheme } from "./themes.ts";

/** How long (ms) a page is shown when nothing that this process knows of has changed. */
const MAX_AGE_MS = 1_000;

/** How many pages are kept; the oldest goes first. */
const MAX_PAGES = 400;

interface Kept {
  content: Entity;
  link: string | null;
  revision: string;
  until: number;
}

/**
 * Headers of a page that is the same for everyone with the same theme. Browsers ask again each time
 * and get 304: a page kept for seconds would still show the theme, or the vote, from before.
 */
const PAGE_HEADERS = {
  "Cache-Control": "public, no-cache",
  "Vary": "Accept, Accept-Encoding, Cookie",
};

/**
 * Keeps what pages look like, by address and theme, until a listing, skill, vote or placement changes or
 * a second has passed: the hot order moves with time. Handlers of kept pages must not depend on the caller.
 */
export function pageCache(): Middleware<State> {
  const pages = new Map<string, Kept>();
  let owner: unknown;
  return async function keepPage(ctx) {
    const { req } = ctx;
    const { deps } = ctx.state;
    if (req.method !== "GET" && req.method !== "HEAD") return await ctx.next();
    if (deps !== owner) {
      owner = deps;
      pages.clear();
    }
    const now = deps.clock.now();
    const revision = `${deps.catalogue.revision} ${deps.skills.revision}`;
    const key = await cacheKey(ctx);
    const kept = pages.get(key);
    if (kept !== undefined && kept.revision === revision && now < kept.until) {
      return answer(req, kept);
    }
    const response = await ctx.next();
    const isPage = response.status === 200 &&
      response.headers.get("Content-Type")?.startsWith("text/html") &&
      !response.headers.has("Cache-Control") && !response.headers.has("Set-Cookie");
    if (!isPage) return response;
    const html = await response.text();
    const made: Kept = {
      content: entity(html, response.headers.get("Content-Type")!),
      link: response.headers.get("Link"),
      revision,
      until: now + MAX_AGE_MS,
    };
    pages.delete(key);
    pages.set(key, made);
    if (pages.size > MAX_PAGES) pages.delete(pages.keys().next().value!);
    return answer(req, made);
  };
}

async function cacheKey(ctx: Context<State>): Promise<string> {
  const { url, req, state } = ctx;
  const accept = req.headers.get("accept")?.includes("text/markdown") ? "md" : "";
  const { version } = await siteLook(state.deps);
  return `${requestTheme(req)} ${version} ${accept} ${url.pathname}${url.search}`;
}

function answer(req: Request, { content, link }: Kept): Response {
  const headers: Record<string, string> = { ...PAGE_HEADERS, ...(link ? { Link: link } : {}) };
  return cached(req, content, { headers });
}
