import { sha256 } from "../text/digest.ts";

/**
 * Query parameters that tell where a visitor came from, not which page is meant. All `utm_*` are
 * too.
 */
const TRACKING = new Set([
  "_ga",
  "_gl",
  "_hsenc",
  "_hsmi",
  "dclid",
  "fbclid",
  "gad_source",
  "gbraid",
  "gclid",
  "gclsrc",
  "igshid",
  "li_fat_id",
  "mc_cid",
  "mc_eid",
  "mkt_tok",
  "msclkid",
  "ref",
  "ref_src",
  "ref_url",
  "referrer",
  "srsltid",
  "ttclid",
  "twclid",
  "wbraid",
  "yclid",
]);
/** What a path has bare: what need not be encoded, and what `URL` leaves as it is typed. */
const BARE = /[A-Za-z0-9._~|[\]^-]/;

/**
 * The identity of an address; addresses with the same identity are one listing. It consists of
 * host, port, path and query, without scheme, `www.`, default port, trailing dot, fragment,
 * trailing slash, `index.html` and tracking parameters. The query is sorted by name and
 * percent-encoding is made uniform. `urlIdentity("https://" + identity)` gives the identity again.
 *
 * @throws TypeError when `url` is no URL.
 */
export function urlIdentity(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  for (const name of [...searchParams.keys()]) {
    if (isTracking(name)) searchParams.delete(name);
  }
  searchParams.sort();
  const query = searchParams.toString();
  return bareHost(hostname) + (port && `:${port}`) + barePath(pathname) + (query && `?${query}`);
}

/** SHA-256 of the identity in base64url: a key of fixed length, whatever the address expands to. */
export function urlKey(url: string): string {
  return sha256(urlIdentity(url));
}

function isTracking(name: string): boolean {
  const lower = name.toLowerCase();
  return TRACKING.has(lower) || lower.startsWith("utm_");
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
    else if (path.endsWith("/index.html")) path = path.slice(0, -"index.html".length);
    else return path;
  }
}

/**
 * One percent-encoded byte in its uniform form: decoded if a path has it bare. A lone percent sign
 * is encoded.
 */
function uniform(encoded: string): string {
  if (encoded === "%") return "%25";
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return BARE.test(character) ? character : encoded.toUpperCase();
}
