import { sha256 } from "./digest.ts";
import { isTracking, siteIdentity } from "./url_rules.ts";

/** Characters unencoded in a path: those that need no encoding, and those `URL` leaves as typed. */
const BARE = /[A-Za-z0-9._~|[\]^-]/;
/** A fragment that is a client-side route, so it identifies a page. */
const ROUTE = /^#!?\/|^#!./;
/** Names of a folder's index page. */
const INDEX = /\/index\.(?:html?|php)$/;

/**
 * The identity of an address; addresses with the same identity are one listing. It consists of
 * host, port, path, query and a fragment that is a route, without scheme, `www.`, default port,
 * trailing dot, other fragments, trailing slash, `index.html` and tracking parameters. The query is
 * sorted by name and percent-encoding is made uniform. Some sites have several addresses for one
 * thing (`url_rules.ts`). `urlIdentity("https://" + identity)` gives the identity again.
 *
 * @throws TypeError if `url` isn't a URL.
 */
export function urlIdentity(url: string): string {
  const { hostname, port, pathname, searchParams, hash } = new URL(url);
  const host = bareHost(hostname);
  for (const name of [...searchParams.keys()]) {
    if (isTracking(host, name)) searchParams.delete(name);
  }
  searchParams.sort();
  const path = barePath(pathname);
  if (port === "") {
    const known = siteIdentity({ host, path, query: searchParams });
    if (known !== null) return known;
  }
  const query = searchParams.toString();
  return host + (port && `:${port}`) + path + (query && `?${query}`) + routeOf(hash);
}

/** SHA-256 of the identity in base64url: a fixed-length key, whatever the address expands to. */
export function urlKey(url: string): string {
  return sha256(urlIdentity(url));
}

function bareHost(hostname: string): string {
  let host = hostname;
  while (host.endsWith(".")) host = host.slice(0, -1);
  while (host.startsWith("www.") && host.includes(".", 4)) host = host.slice(4);
  return host;
}

function barePath(pathname: string): string {
  let path = pathname.replace(/%(?:[0-9a-f]{2})?/gi, uniform);
  for (;;) {
    if (path.endsWith("/")) path = path.slice(0, -1);
    else if (INDEX.test(path.slice(-"/index.html".length))) {
      path = path.slice(0, path.lastIndexOf("/"));
    } else return path;
  }
}

/** The fragment if it is a route, without a trailing slash; empty for a first page. */
function routeOf(hash: string): string {
  if (!ROUTE.test(hash)) return "";
  let route = hash;
  while (route.endsWith("/")) route = route.slice(0, -1);
  return /^#!?$/.test(route) ? "" : route;
}

/**
 * One percent-encoded byte in its uniform form: decoded if paths have it unencoded. A lone percent
 * sign is encoded.
 */
function uniform(encoded: string): string {
  if (encoded === "%") return "%25";
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return BARE.test(character) ? character : encoded.toUpperCase();
}
