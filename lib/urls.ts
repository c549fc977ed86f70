import type { ErrorCode } from "./errors.ts";

/** Pages with a fixed URL and something to read. Each has a Markdown twin and is in the sitemap. */
const pages = {
  home: "/",
  projects: "/projects",
  submit: "/submit",
  categories: "/categories",
  tools: "/tools",
  tags: "/tags",
  skills: "/skills",
  skillSubmit: "/skills/submit",
  poll: "/poll",
  guestbook: "/guestbook",
  aiOfTheDay: "/ai-of-the-day",
  auctions: "/auctions",
  promote: "/promote",
  ranking: "/ranking",
  stats: "/stats",
  help: "/help",
  about: "/about",
  agents: "/agents",
  apiReference: "/api",
  terms: "/terms",
  privacy: "/privacy",
  data: "/data",
  changes: "/changes",
} as const;

/** The paths of these pages. */
export const PAGE_PATHS: readonly string[] = Object.values(pages);

/**
 * The site's paths, relative to its base. The only place that builds a path. Slugs and ids are
 * [a-z0-9-]; everything else is percent-encoded.
 */
export const paths = {
  ...pages,
  apiOperation: (id: string) => `/api#${encodeURIComponent(id)}`,
  dataManifest: "/data/manifest.json",
  dump: (version: string) => `/data/${version}.jsonl.gz`,
  theme: "/theme",
  report: "/report",
  unsubscribe: "/unsubscribe",
  votes: "/votes",
  api: "/api/v1",
  mcp: "/api/mcp",
  openapi: "/openapi.json",
  llms: "/llms.txt",
  llmsFull: "/llms-full.txt",
  /** The Markdown twin of a page other than home; see `twinPath`. */
  markdown: (page: string) => `${page}.md`,
  themes: (version: string) => `/themes.css?v=${version}`,
  /** The feeds of all projects. Those of other pages are below the page. */
  feed: "/feed.xml",
  jsonFeed: "/feed.json",
  gems: "/gems",
  sitemap: "/sitemap.xml",
  sitemapPart: (part: string) => `/sitemaps/${encodeURIComponent(part)}.xml`,
  mcpDiscovery: "/.well-known/mcp.json",
  mcpCard: "/api/mcp/server-card",
  mcpServerJson: "/.well-known/mcp/server.json",
  ardManifest: "/.well-known/ard.json",
  ard: "/ard",
  ardEntry: (identifier: string) => `/ard/agents/${encodeURIComponent(identifier)}`,
  apiCatalog: "/.well-known/api-catalog",
  securityText: "/.well-known/security.txt",
  listing: (slug: string) => `/p/${encodeURIComponent(slug)}`,
  listingNotices: (slug: string) => `/p/${encodeURIComponent(slug)}/notices`,
  listingPromotionReport: (slug: string) => `/p/${encodeURIComponent(slug)}/promotion-report`,
  listingBilling: (slug: string) => `/p/${encodeURIComponent(slug)}/billing`,
  go: (slug: string) => `/go/${encodeURIComponent(slug)}`,
  category: (slug: string) => `/c/${encodeURIComponent(slug)}`,
  tool: (slug: string) => `/t/${encodeURIComponent(slug)}`,
  /** The projects with a tag: the filtered list. */
  tag: (tag: string) => `/projects?tag=${encodeURIComponent(tag)}`,
  /** The path prefix of a tag's feeds. */
  tagFeeds: (tag: string) => `/tags/${encodeURIComponent(tag)}`,
  siteImage: "/og.png",
  manifest: "/site.webmanifest",
  /** The small copy of its logo; `version` identifies the copied URL. */
  listingLogo: (slug: string, version: string) =>
    `/p/${encodeURIComponent(slug)}/logo.png?v=${version}`,
  icon: "/icon-512.png",
  skill: (slug: string) => `/skills/${encodeURIComponent(slug)}`,
  skillCopy: (slug: string) => `/skills/${encodeURIComponent(slug)}/copy`,
  skillVersion: (slug: string, sha256: string) => `/skills/${encodeURIComponent(slug)}/${sha256}`,
  skillFile: (slug: string, sha256: string) =>
    `/skills/${encodeURIComponent(slug)}/SKILL.md?sha256=${sha256}`,
  /** What belongs to an entry. `page` is the path of its page, which is `paths[kind](slug)`. */
  editOf: (page: string) => `${page}/edit`,
  withdrawOf: (page: string) => `${page}/withdraw`,
  claimOf: (page: string) => `${page}/claim`,
  reportOf: (page: string) => `${page}/report`,
  imageOf: (page: string) => `${page}/og.png`,
  /** `entry` is the path of its page, or of the entry in the API. */
  voteOf: (entry: string) => `${entry}/vote`,
  auction: (id: string) => `/auctions/${encodeURIComponent(id)}`,
  checkout: (result: string) => `/checkout/${encodeURIComponent(result)}`,
  pay: (checkoutId: string) => `/checkout/pay?order=${encodeURIComponent(checkoutId)}`,
  /** The page of an error's help entry: programs that follow an error's link read nothing else. */
  helpEntry: (id: string) =>
    id.startsWith("error-") ? `/help?q=${encodeURIComponent(id)}#${id}` : `/help#${id}`,
  apiChanges: "/api/v1/changes",
  apiMeta: "/api/v1/meta",
  apiAuctions: "/api/v1/auctions",
  apiAuction: (id: string) => `/api/v1/auctions/${encodeURIComponent(id)}`,
  apiBids: (id: string) => `/api/v1/auctions/${encodeURIComponent(id)}/bids`,
  apiPromote: "/api/v1/promote",
  apiListings: "/api/v1/projects",
  apiListing: (slug: string) => `/api/v1/projects/${encodeURIComponent(slug)}`,
  /** `entry` is the path of a listing or skill in the API. */
  apiClaimCheck: (entry: string) => `${entry}/verification/check`,
  badge: (slug: string) => `/api/v1/projects/${encodeURIComponent(slug)}/badge.svg`,
  apiPoll: "/api/v1/poll",
  apiPollVote: "/api/v1/poll/vote",
  apiPollExport: "/api/v1/poll/export",
  apiGuestbook: "/api/v1/guestbook",
  apiAiOfTheDay: "/api/v1/ai-of-the-day",
  agentSkills: "/.well-known/agent-skills/index.json",
  siteSkill: "/.well-known/agent-skills/SKILL.md",
  apiSkills: "/api/v1/skills",
  apiSkill: (slug: string) => `/api/v1/skills/${encodeURIComponent(slug)}`,
  apiSkillDiff: (slug: string, sha256: string) =>
    `/api/v1/skills/${encodeURIComponent(slug)}?format=diff&sha256=${sha256}`,
  apiSkillRaw: (slug: string, sha256?: string) =>
    `/api/v1/skills/${encodeURIComponent(slug)}?format=raw${sha256 ? `&sha256=${sha256}` : ""}`,
} as const;

/** The ids of list rows, by slug. */
export const rowIds = {
  listing: (slug: string) => `p-${slug}`,
  skill: (slug: string) => `s-${slug}`,
} as const;

const PAGES = new Set(PAGE_PATHS);
const PAGE_OF_ONE =
  /^\/(?:(?:p|c|t|skills|auctions)\/[a-z0-9-]+|skills\/[a-z0-9-]+\/[0-9a-f]{64})$/;

/** True if the page at this path has a Markdown twin. */
export function hasTwin(path: string): boolean {
  return PAGES.has(path) || PAGE_OF_ONE.test(path);
}

/** The path of a page's Markdown twin, with its query, or null if it has none. */
export function twinPath(path: string): string | null {
  const [page = "", query] = path.split("?");
  if (!hasTwin(page)) return null;
  return (page === paths.home ? "/index.md" : paths.markdown(page)) + (query ? `?${query}` : "");
}

/** The page whose Markdown twin is at this path, or null. */
export function pageOfTwin(path: string): string | null {
  if (path === "/index.md") return paths.home;
  if (!path.endsWith(".md")) return null;
  const page = path.slice(0, -".md".length);
  return page !== paths.home && hasTwin(page) ? page : null;
}

/** The id of an error code's help entry. */
export function errorEntry(code: string): string {
  return `error-${code.replaceAll("_", "-")}`;
}

/** Makes absolute URLs of the site. */
export type Urls = ReturnType<typeof createUrls>;

/** Makes the absolute URLs of a site at `base` (an origin without a trailing slash). */
export function createUrls(base: string) {
  return {
    base,
    /** The absolute URL of a path made by `paths`. */
    to: (path: string) => base + path,
    /** The help entry of an error code. */
    help: (code: ErrorCode) => base + paths.helpEntry(errorEntry(code)),
    /** The API reference. */
    docs: base + paths.apiReference,
  };
}

/** A path with query parameters; undefined and null ones are left out. */
export function withQuery(
  path: string,
  query: Record<string, string | number | null | undefined>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

/**
 * The destination of a visit to a listing: its URL with `ref` set to the site's slug name,
 * replacing any `ref`. Everything else stays as given.
 */
export function outboundUrl(url: string, siteSlug: string): string {
  const target = new URL(url);
  // `searchParams` would rewrite the other parameters: `?/t/1` would become `?%2Ft%2F1=`.
  const others = target.search.slice(1).split("&").filter((part) =>
    part && !/^ref(=|$)/.test(part)
  );
  target.search = [...others, `ref=${siteSlug}`].join("&");
  return target.href;
}
