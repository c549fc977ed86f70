import type { Context, Middleware } from "fresh";
import { type FunctionComponent, h } from "preact";
import { renderToString } from "preact-render-to-string";
import { utcDay } from "../clock.ts";
import type { State } from "../define.ts";
import type { Deps } from "../deps.ts";
import type { EntryKind } from "../entries.ts";
import { DomainError } from "../errors.ts";
import {
  cached,
  type Coded,
  encodeWide,
  type Entity,
  entity,
  uncached,
  wantsMarkdown,
} from "../http/respond.ts";
import { pagePolicy } from "../http/shared_headers.ts";
import { twinLink } from "../markdown/twins.ts";
import { oncePer } from "../once_per.ts";
import { ownBallot } from "../poll/service.ts";
import { RepeatedMap } from "../repeated_map.ts";
import { ownVote } from "../votes/service.ts";
import { siteLook } from "./look.ts";
import { requestTheme } from "./themes.ts";

/** How long (ms) a kept page is shown while nothing that this process knows of has changed. */
const MAX_AGE_MS = 1_000;

/**
 * How many characters of pages and keys a middleware keeps. The oldest go first. Pages that are
 * shown as they were while storage fails are worth keeping for long; of the others only those of
 * the last second count.
 */
const MAX_LENGTH = 16_000_000;
const MAX_LENGTH_BRIEFLY = 2_000_000;

/** Says since when (ms) storage fails, and so as of when a page is. */
type StaleNotice = FunctionComponent<{ since: number }>;

interface Kept {
  content: Entity<string | Coded>;
  headers: Record<string, string>;
  link: string | undefined;
  revision: string;
  /** How many changes this process had heard of when it was asked for. */
  changes: number;
  /** ms since the epoch. */
  madeAt: number;
}

/**
 * Headers of a page that is the same for everyone with the same theme. Browsers ask each time and
 * get 304: a page that was cached for seconds would show the theme, or the vote, from before.
 */
const PAGE_HEADERS = {
  "Cache-Control": "public, no-cache",
  "Vary": "Accept, Accept-Encoding, Cookie",
};

/**
 * Keeps rendered pages by address and theme from their second request on, until a listing, skill,
 * vote or placement changes or a second has passed (the hot order moves with time). Handlers of
 * kept pages must not depend on the caller. While storage fails, a page that was kept is shown as
 * it was, below `Notice`, unless more than counts has changed since: what was hidden stays hidden.
 */
export function pageCache(Notice: StaleNotice): Middleware<State> {
  const keep = keeper(Notice);
  return async function keepPage(ctx) {
    if (!isRead(ctx)) return await ctx.next();
    const kept = await keep(ctx, "");
    return kept instanceof Response ? kept : answer(ctx.req, kept);
  };
}

/**
 * A page cache as `pageCache`, for the page of one listing or skill (`slug` in its path), which
 * shows the caller's vote. Each page is kept twice: for who voted and for who did not. The vote is
 * read each time and put on the state. If storage does not tell it, the page's button asks for it,
 * as on pages that are the same for everyone.
 */
export function ownVoteCache(kind: EntryKind): Middleware<State> {
  const keep = keeper();
  return async function keepOwnVotePage(ctx) {
    // Its Markdown shows no vote.
    if (!isRead(ctx) || wantsMarkdown(ctx.req, "text/html")) return await ctx.next();
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    const isKnown = (kind === "listing" ? deps.catalogue : deps.skills).has(slug);
    const voted = isKnown ? await ownVote(deps.store, { kind, slug, voter: caller.voter }) : null;
    ctx.state.voted = voted;
    const kept = await keep(ctx, String(voted));
    return kept instanceof Response ? kept : uncached(ctx.req, kept.content, kept);
  };
}

/**
 * A page cache as `pageCache`, for the page of the poll, which shows the caller's ballot of today.
 * The page is kept for those who have no ballot, until this process takes one. The ballot is read
 * each time.
 */
export function ballotCache(): Middleware<State> {
  const keep = keeper();
  return async function keepPollPage(ctx) {
    if (!isRead(ctx)) return await ctx.next();
    const { deps, caller } = ctx.state;
    const day = utcDay(deps.clock.now());
    if (await ownBallot(deps, { caller, day }) !== null) return await ctx.next();
    const kept = await keep(ctx, "", `${day} ${deps.pollBoard.revision}`);
    return kept instanceof Response ? kept : uncached(ctx.req, kept.content, kept);
  };
}

function isRead({ req }: Context<State>): boolean {
  return req.method === "GET" || req.method === "HEAD";
}

/**
 * Makes a function that finds the page of a request among those it keeps, or renders and keeps it.
 * A page is kept for its address, theme and `variant`, until a listing, a skill, the look of the day
 * or `also` changes.
 * An answer that is no page is returned as it is.
 */
function keeper(Notice?: StaleNotice) {
  const stateOf = oncePer(({ store }: Deps) => {
    const state = {
      pages: new RepeatedMap<Kept>(
        Notice === undefined ? MAX_LENGTH_BRIEFLY : MAX_LENGTH,
        ({ content }, key) => content.body.length + key.length,
      ),
      changes: 0,
    };
    store.subscribe(({ type }) => {
      if (type === "change") state.changes++;
    });
    return state;
  });
  return async function keep(
    ctx: Context<State>,
    variant: string,
    also = "",
  ): Promise<Kept | Response> {
    const { deps } = ctx.state;
    const state = stateOf(deps);
    const { pages, changes } = state;
    const now = deps.clock.now();
    // The look is part of the revision, not of the key: while storage fails at midnight, nobody can
    // tell the day's look, and pages stay what they were.
    const { version } = await siteLook(deps);
    const revision = `${deps.catalogue.revision} ${deps.skills.revision} ${version} ${also}`;
    const key = `${cacheKey(ctx)} ${variant}`;
    const kept = pages.get(key);
    const age = kept === undefined ? NaN : now - kept.madeAt;
    if (kept?.revision === revision && age >= 0 && age < MAX_AGE_MS) return kept;
    const response = await ctx.next().catch((error) => {
      const isAway = error instanceof DomainError && error.code === "storage_unavailable";
      if (!isAway || Notice === undefined || kept?.changes !== state.changes) throw error;
      return null;
    });
    if (response === null) return asOld(kept!, Notice!);
    const isPage = response.status === 200 &&
      response.headers.get("Content-Type")?.startsWith("text/html") &&
      !response.headers.has("Cache-Control") && !response.headers.has("Set-Cookie");
    if (!isPage) return response;
    const html = await response.text();
    const links = [response.headers.get("Link"), twinLink(deps.urls, ctx.url)].filter(Boolean);
    const made: Kept = {
      content: pageEntity(html, response.headers.get("Content-Type")!),
      link: links.join(", ") || undefined,
      headers: {
        ...PAGE_HEADERS,
        "Content-Security-Policy": pagePolicy(ctx.req, response),
      },
      revision,
      changes,
      madeAt: now,
    };
    pages.set(key, made);
    return made;
  };
}

function pageEntity(html: string, type: string): Entity<string | Coded> {
  const content: Entity<string | Coded> = entity(html, type);
  encodeWide(content);
  return content;
}

/** What kept pages became while storage failed. */
const old = new WeakMap<Kept, Kept>();

function asOld(kept: Kept, Notice: StaleNotice): Kept {
  return old.getOrInsertComputed(kept, () => {
    const { body, type } = kept.content;
    const html = typeof body === "string" ? body : new TextDecoder().decode(body.utf8());
    if (html.includes('<aside class="stale"')) return kept;
    const notice = renderToString(h(Notice, { since: kept.madeAt }));
    return { ...kept, content: pageEntity(html.replace("<main", () => `${notice}<main`), type) };
  });
}

function cacheKey({ url, req }: Context<State>): string {
  const accept = wantsMarkdown(req, "text/html") ? "md" : "";
  return `${requestTheme(req)} ${accept} ${url.pathname}${url.search}`;
}

function answer(req: Request, { content, headers, link }: Kept): Response {
  return cached(req, content, { headers, link });
}
