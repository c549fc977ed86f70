import { domainToASCII } from "node:url";
import { displayHost } from "./web_url.ts";

/** A URL's host without `www.`, for people: in Unicode if no letter looks like another. */
export function hostOf(url: string): string {
  return displayHost(new URL(url).hostname).replace(/^www\./, "");
}

/** Hosts where the first part of a path says who owns a project. */
const CODE_HOSTS = new Set(["github.com", "gitlab.com", "codeberg.org", "bitbucket.org"]);

/** An account name on such hosts. */
const OWNER = /^\w[\w.-]{0,38}$/;
/** Path parts on these hosts that aren't account names. */
const NO_OWNERS = new Set(["apps", "explore", "groups", "marketplace", "orgs", "sponsors"]);

/** Where a project lives, in a word: its host, and its owner on a code host. */
export function siteOf(url: string): string {
  const host = hostOf(url);
  const owner = new URL(url).pathname.split("/")[1]!;
  const isNamed = CODE_HOSTS.has(host) && OWNER.test(owner) && !NO_OWNERS.has(owner);
  return isNamed ? `${host}/${owner}` : host;
}

/** A URL for people: its host and path, truncated if long. */
export function shortAddress(url: string): string {
  const address = hostOf(url) + new URL(url).pathname.replace(/\/$/, "");
  return address.length <= 60 ? address : `${address.slice(0, 59)}…`;
}

/**
 * The form used to compare email addresses: in lower case, with the domain in ASCII, as browsers send
 * it.
 */
export function emailForm(email: string): string {
  return email.toLowerCase().replace(/(?<=@)[^@]+$/, (domain) => domainToASCII(domain) || domain);
}
