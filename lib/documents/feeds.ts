import { categories } from "../catalog/categories.ts";
import { builtWith, tools } from "../catalog/tools.ts";
import type { Deps } from "../discovery/deps.ts";
import { latestGems } from "../discovery/gems.ts";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import { cached, entity, TYPES } from "../http/respond.ts";
import type { Asked } from "../http/state.ts";
import { placementLabel } from "../listings/markdown.ts";
import type { PublicListing } from "../listings/schema.ts";
import { escapeXml } from "../text/escape.ts";
import { paths, withQuery } from "../urls.ts";
import { keptDocument } from "./cache.ts";

/** How many entries a feed has. */
const FEED_ITEMS = 50;

/** What a feed shows: all projects, those of a category, tool or tag, hidden gems, or skills. */
export type FeedScope = { kind: "projects" | "gems" | "skills" } | Shelf;
type Shelf = { kind: "category" | "tool" | "tag"; slug: string };

/** One entry of a feed, in no particular format. Its texts are as their authors wrote them. */
interface FeedItem {
  /** Its page, which is also its permanent id. */
  url: string;
  title: string;
  summary: string;
  /** What the site itself says about it: a paid placement, or a gem's note. */
  label: string | null;
  author: string | null;
  tags: string[];
  externalUrl: string | null;
  /** ISO 8601. */
  publishedAt: string;
  updatedAt: string;
}

/** The formats of feeds, by their extension: RSS 2.0 and JSON Feed 1.1. */
const FORMATS = {
  xml: { type: TYPES.rss, write: toRss },
  json: { type: TYPES.feed, write: toJsonFeed },
} as const;
type Format = keyof typeof FORMATS;

/** The handlers of the addresses of feeds, which end in their format. */
export function feedHandlers(kind: FeedScope["kind"]) {
  return {
    GET(ctx: Asked<Deps>) {
      const { deps } = ctx.state;
      const { format, slug } = ctx.params;
      if (format !== "xml" && format !== "json") throw new DomainError("not_found");
      const scope = scopeOf(deps, kind, slug!);
      const path = feedPaths(scope)[format];
      const { type, write } = FORMATS[format];
      const feed = keptDocument(deps, path, () => entity(write(deps, scope, path), type));
      const hub = hubOf(deps.env, scope);
      const self = deps.urls.to(ctx.url.pathname);
      const link = hub && `<${hub}>; rel="hub", <${self}>; rel="self"`;
      return cached(ctx, feed, { maxAge: 60, link });
    },
  };
}

/**
 * What the feed at an address shows, by its slug if it has one. Throws `not_found` for a category or
 * tool that does not exist, and for a tag without live projects.
 */
function scopeOf({ catalogue }: Deps, kind: FeedScope["kind"], slug: string): FeedScope {
  if (kind === "projects" || kind === "gems" || kind === "skills") return { kind };
  const known: readonly { slug: string }[] = kind === "category" ? categories : tools;
  const exists = kind === "tag"
    ? catalogue.sizes("tag").get(slug)
    : known.some((entry) => entry.slug === slug);
  if (!exists) throw new DomainError("not_found");
  return { kind, slug };
}

/**
 * A feed's WebSub hub; undefined if the site has none, or cannot reach it. Tags have too many feeds
 * to watch.
 */
export function hubOf(
  { websubHub, fetcherPort }: Pick<Env, "websubHub" | "fetcherPort">,
  { kind }: FeedScope,
): string | undefined {
  return fetcherPort === undefined || kind === "tag" ? undefined : websubHub;
}

/** Where a scope's feeds are, by format. */
export function feedPaths(scope: FeedScope): Record<Format, string> {
  const page = pageOf(scope);
  return { xml: `${page}${paths.feed}`, json: `${page}${paths.jsonFeed}` };
}

/** The page below which a scope's feeds are. */
function pageOf(scope: FeedScope): string {
  if (scope.kind === "projects") return "";
  if (!("slug" in scope)) return paths[scope.kind];
  return scope.kind === "tag" ? paths.tagFeeds(scope.slug) : paths[scope.kind](scope.slug);
}

/** The content of a feed, for all formats. Its home is the page with the same content. */
export function feedOf(deps: Deps, scope: FeedScope) {
  const { siteName } = deps.env;
  const shelf = ({ kind, slug }: Shelf, name: string, which: string) => ({
    title: `${siteName}: ${name}`,
    description: `The newest projects ${which}`,
    home: paths[kind](slug),
    items: listings(deps, { [kind]: slug }),
  });
  switch (scope.kind) {
    case "projects":
      return {
        title: siteName,
        description: `The newest projects on ${siteName}`,
        home: paths.home,
        items: listings(deps, {}),
      };
    case "category": {
      const { name } = categories.find(({ slug }) => slug === scope.slug)!;
      return shelf(scope, name, `in ${name}`);
    }
    case "tool": {
      const built = builtWith(tools.find(({ slug }) => slug === scope.slug)!.slug);
      return shelf(scope, built, built);
    }
    case "tag":
      return shelf(scope, `#${scope.slug}`, `tagged ${scope.slug}`);
    case "gems":
      return {
        title: `${siteName}: hidden gems`,
        description:
          "New projects with detailed pages, picked daily before many people had seen them, never for money",
        home: withQuery(paths.projects, { gems: 1 }),
        items: listings(deps, { gems: "1" }),
      };
    case "skills":
      return {
        title: `${siteName}: skills`,
        description: "The newest instructions for AI agents",
        home: paths.skills,
        items: skills(deps),
      };
  }
}

function skills(deps: Deps): FeedItem[] {
  const query = { sort: "new", limit: FEED_ITEMS, offset: 0 } as const;
  return deps.skills.list(query).items.map((skill) => ({
    url: skill.page,
    title: skill.title,
    summary: skill.summary,
    label: skill.origin === "third-party" ? "Third-party: not written by the submitter" : null,
    author: skill.author ?? skill.submittedBy,
    tags: [skill.kind, skill.category, ...skill.tags, ...skill.worksWith]
      .filter((tag) => tag !== null),
    externalUrl: null,
    publishedAt: skill.createdAt,
    updatedAt: skill.updatedAt,
  }));
}

function listings(
  deps: Deps,
  filter: { category?: string; tool?: string; tag?: string; gems?: "1" },
): FeedItem[] {
  const items = filter.gems
    ? latestGems(deps, FEED_ITEMS)
    : deps.catalogue.list({ ...filter, sort: "new", limit: FEED_ITEMS }).items;
  // A gem is news from the time it was picked.
  const since = ({ gem, createdAt }: PublicListing) => filter.gems ? gem!.since : createdAt;
  return items.map((listing) => ({
    url: listing.page,
    title: listing.name,
    summary: listing.tagline,
    label: placementLabel(listing) ??
      (listing.gem === null ? null : `Hidden gem: ${listing.gem.note}`),
    author: listing.submittedBy,
    tags: [listing.category, ...listing.tags, ...listing.builtWith].filter((tag) => tag !== null),
    externalUrl: listing.goUrl,
    publishedAt: since(listing),
    updatedAt: since(listing) > listing.updatedAt ? since(listing) : listing.updatedAt,
  }));
}

function toRss(deps: Deps, scope: FeedScope, path: string): string {
  const { urls } = deps;
  const feed = feedOf(deps, scope);
  const hub = hubOf(deps.env, scope);
  const text = (name: string, value: string) => `<${name}>${escapeXml(value)}</${name}>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    "<channel>",
    text("title", feed.title),
    text("link", urls.to(feed.home)),
    text("description", feed.description),
    "<language>en</language>",
    `<atom:link href="${escapeXml(urls.to(path))}" rel="self" type="application/rss+xml"/>`,
    ...(hub === undefined ? [] : [`<atom:link href="${escapeXml(hub)}" rel="hub"/>`]),
    ...feed.items.map((item) =>
      [
        "<item>",
        text("title", item.title),
        text("link", item.url),
        `<guid isPermaLink="true">${escapeXml(item.url)}</guid>`,
        text("pubDate", new Date(item.publishedAt).toUTCString()),
        text("description", toHtml(item)),
        ...(item.author === null ? [] : [text("dc:creator", item.author)]),
        ...item.tags.map((tag) => text("category", tag)),
        "</item>",
      ].join("\n")
    ),
    "</channel>",
    "</rss>",
    "",
  ].join("\n");
}

function toJsonFeed(deps: Deps, scope: FeedScope, path: string): string {
  const { urls } = deps;
  const feed = feedOf(deps, scope);
  const hub = hubOf(deps.env, scope);
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: feed.title,
    home_page_url: urls.to(feed.home),
    feed_url: urls.to(path),
    description: feed.description,
    language: "en",
    ...(hub !== undefined && { hubs: [{ type: "WebSub", url: hub }] }),
    items: feed.items.map((item) => ({
      id: item.url,
      url: item.url,
      ...(item.externalUrl === null ? {} : { external_url: item.externalUrl }),
      title: item.title,
      content_html: toHtml(item),
      summary: item.summary,
      date_published: item.publishedAt,
      date_modified: item.updatedAt,
      ...(item.author === null ? {} : { authors: [{ name: item.author }] }),
      tags: item.tags,
    })),
  });
}

/** The summary, and the site's own label as an element, which a stranger's text can't create. */
function toHtml({ summary, label }: FeedItem): string {
  const text = escapeXml(summary);
  return label === null ? text : `${text} <strong>${escapeXml(label)}</strong>`;
}
