import { displayHost } from "./web_url.ts";

/** The host of a URL without `www.`, for people: in Unicode where no letter looks like another. */
export function hostOf(url: string): string {
  return displayHost(new URL(url).hostname).replace(/^www\./, "");
}

/** Hosts on which the first part of a path says whose a project is. */
const CODE_HOSTS = new Set(["github.com", "gitlab.com", "codeberg.org", "bitbucket.org"]);

/** A name that such hosts give to somebody. */
const OWNER = /^\w[\w.-]{0,38}$/;
/** Parts of their paths that are nobody's name. */
const NO_OWNERS = new Set(["apps", "explore", "groups", "marketplace", "orgs", "sponsors"]);

/** Where a project lives, in a word: its host, and on a host of code whose it is. */
export function siteOf(url: string): string {
  const host = hostOf(url);
  const owner = new URL(url).pathname.split("/")[1]!;
  const isNamed = CODE_HOSTS.has(host) && OWNER.test(owner) && !NO_OWNERS.has(owner);
  return isNamed ? `${host}/${owner}` : host;
}

/** A URL for people: its host and path, cut if it is long. */
export function shortAddress(url: string): string {
  const address = hostOf(url) + new URL(url).pathname.replace(/\/$/, "");
  return address.length <= 60 ? address : `${address.slice(0, 59)}…`;
}
