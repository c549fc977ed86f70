/**
 * Query parameters that say where a visitor came from, not which page is meant. A star matches any
 * ending. Each row has its source.
 */
const TRACKING: readonly (readonly [source: string, names: string])[] = [
  ["Google Analytics: Collect campaign data", "utm_* _ga _gl"],
  [
    "Google Ads: About GCLID, gbraid, wbraid and gad_source",
    "gclid gclsrc dclid gbraid wbraid gad_*",
  ],
  ["Google Merchant Center: srsltid", "srsltid"],
  ["Meta: fbclid; Instagram's share button", "fbclid igsh igshid"],
  ["Microsoft Advertising: auto-tagging", "msclkid"],
  ["X Ads, TikTok Ads, LinkedIn Ads: click ids", "twclid ttclid li_fat_id"],
  ["Yandex Metrica: yclid and ysclid", "yclid ysclid"],
  ["Mailchimp: campaign and email id", "mc_*"],
  ["HubSpot: email tracking and ads", "_hs* hsa_*"],
  ["Marketo: Munchkin token", "mkt_tok"],
  ["Matomo: Tracking campaigns", "mtm_* pk_* matomo_*"],
  ["Vero and Omeda, as Firefox strips them", "vero_id vero_conv oly_anon_id oly_enc_id"],
  ["Common use of this and other directories", "ref ref_src ref_url referrer"],
];
const NAMES = new Set<string>();
const STARTS: string[] = [];
for (const name of TRACKING.flatMap(([, names]) => names.split(" "))) {
  if (name.endsWith("*")) STARTS.push(name.slice(0, -1));
  else NAMES.add(name);
}

/** Hosts whose share buttons add `si`, a session id. Elsewhere it may identify a page. */
const SHARED_BY_SI = /(?:^|\.)(?:youtube\.com|youtu\.be|spotify\.com|soundcloud\.com)$/;

/** True if a query parameter doesn't identify a page. */
export function isTracking(host: string, name: string): boolean {
  const lower = name.toLowerCase();
  return NAMES.has(lower) || STARTS.some((start) => lower.startsWith(start)) ||
    (lower === "si" && SHARED_BY_SI.test(host));
}

/** An address split for the rules: bare host and path, and a query without tracking. */
interface Parts {
  host: string;
  path: string;
  query: URLSearchParams;
}

/** A site that has several addresses for one thing. */
interface SiteRule {
  hosts: readonly string[];
  /** The site's documentation of this. */
  source: string;
  /** The identity, or null if the address is for something else. */
  identity(parts: Parts): string | null;
}

/** Reassembles an address after a rule has changed its path and query. */
function joined(host: string, path: string, query: URLSearchParams): string {
  const rest = query.toString();
  return host + path + (rest && `?${rest}`);
}

/** A case-insensitive name in lower case; escapes stay as they are. */
function folded(name: string): string {
  return name.replace(/%[\dA-F]{2}|[A-Z]/g, (part) => part.length > 1 ? part : part.toLowerCase());
}

/** A repository's address: owner and name in lower case, without `.git` and the open tab. */
function repository({ host, path, query }: Parts, names: number): string {
  const parts = path.split("/");
  const named = parts.slice(0, names + 1).map(folded);
  const last = named.length - 1;
  if (last >= 2) named[last] = named[last]!.replace(/(?<=.)(?:\.git)+$/, "");
  query.delete("tab");
  return joined(host, [...named, ...parts.slice(names + 1)].join("/"), query);
}

const RULES: readonly SiteRule[] = [
  {
    hosts: ["github.com", "codeberg.org"],
    source: "docs.github.com: names are not case-sensitive; Forgejo is the same",
    identity: (parts) => repository(parts, 2),
  },
  {
    hosts: ["gitlab.com"],
    source: "docs.gitlab.com: paths of groups and projects, which end before /-/, ignore case",
    identity: (parts) => {
      const end = parts.path.indexOf("/-/");
      const named = end < 0 ? parts.path : parts.path.slice(0, end);
      return repository(parts, named.split("/").length - 1);
    },
  },
  {
    hosts: ["youtube.com", "m.youtube.com", "youtu.be", "youtube-nocookie.com"],
    source: "developers.google.com/youtube: a video is its id of 11 characters",
    identity: ({ host, path, query }) => {
      const id = host === "youtu.be"
        ? path.slice(1)
        : path === "/watch"
        ? query.get("v")
        : /^\/(?:shorts|embed|live|v)\/([\w-]+)$/.exec(path)?.[1];
      if (id && /^[\w-]{11}$/.test(id)) return `youtube.com/watch?v=${id}`;
      return host === "m.youtube.com" ? joined("youtube.com", path, query) : null;
    },
  },
  {
    hosts: ["play.google.com"],
    source: "developer.android.com: an app is the id of its package",
    identity: ({ host, path, query }) => {
      const id = query.get("id");
      return path === "/store/apps/details" && id
        ? joined(host, path, new URLSearchParams({ id }))
        : null;
    },
  },
  {
    hosts: ["apps.apple.com", "itunes.apple.com"],
    source: "developer.apple.com: an app is its Apple ID; country and name may change",
    identity: ({ path }) => {
      const id = /^\/(?:[a-z]{2}\/)?app\/(?:[^/]+\/)?(id\d+)$/i.exec(path)?.[1];
      return id === undefined ? null : `apps.apple.com/app/${id.toLowerCase()}`;
    },
  },
  {
    hosts: ["x.com", "twitter.com", "mobile.twitter.com", "mobile.x.com"],
    source: "help.x.com: names are not case-sensitive; s, t and lang come from sharing",
    identity: ({ path, query }) => {
      for (const name of ["s", "t", "lang"]) query.delete(name);
      const [name = "", ...rest] = path.split("/").filter(Boolean);
      return joined("x.com", name && ["", folded(name), ...rest].join("/"), query);
    },
  },
];
const RULE_OF = new Map(RULES.flatMap((rule) => rule.hosts.map((host) => [host, rule])));

/** The identity of an address on a site with its own rules, or null. */
export function siteIdentity(parts: Parts): string | null {
  return RULE_OF.get(parts.host)?.identity(parts) ?? null;
}
