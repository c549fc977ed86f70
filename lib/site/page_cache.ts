import { type FunctionComponent, h } from "preact";
import { renderToString } from "preact-render-to-string";
import { siteLook } from "../ai_of_the_day/look.ts";
import { Lru } from "../cache/lru.ts";
import type { EntryKind } from "../entries/entries.ts";
import { DomainError } from "../errors.ts";
import {
  cached,
  type Entity,
  entity,
  entityText,
  privately,
  wantsMarkdown,
} from "../http/respond.ts";
import { policyOf } from "../http/shared_headers.ts";
import type { Asked, Passed } from "../http/state.ts";
import type { Store } from "../kv/store.ts";
import { requestTheme } from "../themes/cookie.ts";
import { ownVote } from "../votes/service.ts";
import type { Deps } from "./deps.ts";

/** One middleware in the chain for a page request. */
type Middleware = (ctx: Passed<Deps>) => Promise<Response>;

/** How long (ms) a cached page is served while this process knows of no change. */
const MAX_AGE_MS = 1_000;

/** The maximum size of cached pages and their keys together, about 16 MB. */
const MAX_LENGTH = 16_000_000;

/** Says that storage has been failing since a time (ms), so the page is that old. */
type StaleNotice = FunctionComponent<{ since: number }>;

interface KeptPage {
  content: Entity;
  headers: Record<string, string>;
  link: string | undefined;
  /** The revision of the page's data; {@link STALE} for a page with a notice. */
  revision: string;
  /** ms since the epoch. */
  madeAt: number;
}

const STALE = "";

/**
 * The latest rendered pages. Any change except counts invalidates a page for good, because the page
 * may name something that has since been hidden.
 */
export class KeptPages extends Lru<KeptPage> {
  #changes = 0;

  constructor(store: Pick<Store, "subscribe">) {
    super({ max: MAX_LENGTH, sizeOf: ({ content }, key) => content.body.length + key.length });
    store.subscribe(({ type }) => {
      if (type === "change") this.#changes++;
    });
  }

  /** How many changes this process has seen: the revision of each page. */
  get changes(): number {
    return this.#changes;
  }
}

/**
 * Headers of a page that is the same for everyone with the same theme. Browsers revalidate each
 * time and get a 304: a page cached for even a few seconds could show an old theme or vote.
 */
const PAGE_HEADERS = {
  "Cache-Control": "public, no-cache",
  "Vary": "Accept, Accept-Encoding, Cookie",
};

/**
 * Caches pages that are the same for everyone with the same theme. Their handlers must not depend
 * on the caller. While storage fails, a cached page is served as it was, below `Notice`, unless
 * anything but counts has changed since: what was hidden stays hidden.
 */
export function pageCache(Notice: StaleNotice): Middleware {
  return async function keepPage(ctx) {
    if (!isRead(ctx)) return await ctx.next();
    const kept = await keep(ctx, "", Notice);
    return kept instanceof Response ? kept : cached(ctx, kept.content, kept);
  };
}

/**
 * A page cache like `pageCache`, for the page of one listing or skill (`slug` in its path), which
 * shows the caller's vote, and nothing else that depends on the caller. Each page is cached twice:
 * for callers who voted and for those who didn't. The vote is read each time and stored in the
 * state. If storage fails, the page's button asks for it, as on pages that are the same for
 * everyone.
 */
export function ownVoteCache(kind: EntryKind): Middleware {
  return async function keepOwnVotePage(ctx) {
    // Its Markdown shows no vote.
    if (!isRead(ctx) || wantsMarkdown(ctx.req, "text/html")) return await ctx.next();
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    const isKnown = (kind === "listing" ? deps.catalogue : deps.skills).has(slug);
    const voted = isKnown ? await ownVote(deps.store, { kind, slug, voter: caller.voter }) : null;
    ctx.state.voted = voted;
    const kept = await keep(ctx, String(voted));
    if (kept instanceof Response) return kept;
    // Everyone who hasn't voted sees the same page.
    return privately(ctx, kept.content, { ...kept, isOwn: voted !== false });
  };
}

function isRead({ req }: Asked<Deps>): boolean {
  return req.method === "GET" || req.method === "HEAD";
}

/**
 * A request's page from the cache, or rendered and cached: by address, theme and `variant`, until a
 * listing, skill, vote, placement or the day's look changes, or a second has passed (the hot order
 * changes over time). Anything but a page is returned as is, and so is a page that sets its own
 * `Cache-Control` or a cookie.
 */
async function keep(
  ctx: Passed<Deps>,
  variant: string,
  Notice?: StaleNotice,
): Promise<KeptPage | Response> {
  const { deps } = ctx.state;
  const { pages } = deps;
  const { changes } = pages;
  const now = deps.clock.now();
  // The look is part of the revision, not of the key: if storage fails at midnight, the day's look
  // is unknown, and pages stay as they were.
  const { version } = await siteLook(deps);
  const revision = `${deps.catalogue.revision} ${deps.skills.revision} ${version}`;
  const key = `${requestTheme(ctx.req)} ${ctx.url.pathname}${ctx.url.search} ${variant}`;
  const kept = pages.get(key, changes);
  const age = kept === undefined ? NaN : now - kept.madeAt;
  if (kept?.revision === revision && age >= 0 && age < MAX_AGE_MS) return kept;
  let response: Response;
  try {
    response = await ctx.next();
  } catch (error) {
    const isAway = error instanceof DomainError && error.code === "storage_unavailable";
    const old = pages.get(key, pages.changes);
    if (!isAway || Notice === undefined || old === undefined) throw error;
    return pages.set(key, stale(old, Notice), pages.changes);
  }
  const isPage = response.status === 200 &&
    response.headers.get("Content-Type")?.startsWith("text/html") &&
    !response.headers.has("Cache-Control") && !response.headers.has("Set-Cookie");
  if (!isPage) return response;
  return pages.set(key, {
    content: entity(await response.text(), response.headers.get("Content-Type")!),
    link: response.headers.get("Link") ?? undefined,
    headers: { ...PAGE_HEADERS, "Content-Security-Policy": policyOf(deps.urls, response) },
    revision,
    madeAt: now,
  }, changes);
}

/** An outdated page, with a notice that says so. */
function stale(page: KeptPage, Notice: StaleNotice): KeptPage {
  if (page.revision === STALE) return page;
  const html = entityText(page.content);
  if (html.includes('<aside class="stale"')) return page;
  const notice = renderToString(h(Notice, { since: page.madeAt }));
  const content = entity(html.replace("<main", () => `${notice}<main`), page.content.type);
  return { ...page, content, revision: STALE };
}
