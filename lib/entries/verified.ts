/** What an owner can prove about an entry's own address. For how, see `lib/owners`. */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { isoTime } from "../clock.ts";
import { escapeMarkdown } from "../text/escape.ts";

/** Places for a proof's token. */
export const Method = z.enum(["dns", "file", "meta", "link", "repository"]).meta({
  id: "VerificationMethod",
});
export type Method = z.output<typeof Method>;

/** A proof in an entry's record. */
export interface StoredVerified {
  method: Method;
  domain: string;
  /** ms since the epoch. */
  since: number;
}

/** The proof as entries show it. */
export const PublicVerified = z.object({
  method: Method,
  domain: z.string().describe("A host; with a path if only that page or repository was proven"),
  since: z.iso.datetime(),
}).meta({ id: "Verified", description: "The owner has proven this" });
export type PublicVerified = z.output<typeof PublicVerified>;

/** A proof as shown. */
export function publicVerified(verified: StoredVerified): PublicVerified {
  return { ...verified, since: isoTime(verified.since) };
}

/** What the owner is verified for, and since when, as Markdown. */
export function verifiedInWords({ verified }: { verified: PublicVerified | null }): string | null {
  return verified && `${escapeMarkdown(verified.domain)}, since ${verified.since}`;
}

/**
 * Hosts with many owners, each of whom controls only repositories, and the raw address of a file in
 * one.
 */
const CODE_HOSTS: Readonly<Record<string, (path: string, file: string) => string>> = {
  "github.com": (path, file) => `https://raw.githubusercontent.com/${path}/HEAD/${file}`,
  "gitlab.com": (path, file) => `https://gitlab.com/${path}/-/raw/HEAD/${file}`,
  "codeberg.org": (path, file) => `https://codeberg.org/api/v1/repos/${path}/raw/${file}`,
};

const bareHost = ({ hostname }: URL) => hostname.replace(/^www\./, "");

/** The address of a file on the default branch of a URL's repository, or null. */
export function repositoryFile(url: string, file: string): string | null {
  const path = repositoryPath(new URL(url));
  return path && CODE_HOSTS[bareHost(new URL(url))]!(path, file);
}

/** A repository's owner and name, including GitLab's subgroups; null if there is none. */
function repositoryPath(url: URL): string | null {
  const host = bareHost(url);
  if (!Object.hasOwn(CODE_HOSTS, host)) return null;
  const parts = url.pathname.slice(1).replace(/\/$/, "").split("/");
  const end = parts.indexOf("-");
  const path = host === "gitlab.com"
    ? parts.slice(0, end < 0 ? undefined : end)
    : parts.slice(0, 2);
  const isNamed = path.length >= 2 && path.every((part) => /^[\w.-]+$/.test(part));
  return isNamed ? path.join("/").replace(/\.git$/, "") : null;
}

/**
 * What a token in this place proves for an entry with this URL; null if nothing. A page proves only
 * itself, unless it is the site's home page. A page with a query proves nothing: it may echo input.
 */
export function provenBy(url: string, method: Method): string | null {
  const parsed = new URL(url);
  const { hostname, port, pathname, search } = parsed;
  const isShared = Object.hasOwn(CODE_HOSTS, bareHost(parsed));
  if (method === "repository") {
    const path = repositoryPath(parsed);
    return path && `${bareHost(parsed)}/${path}`;
  }
  if (isShared) return null;
  if (method === "dns") return ipaddr.isValid(hostname.replace(/^\[|\]$/g, "")) ? null : hostname;
  // The fetcher reads no other ports.
  if (port !== "") return null;
  if (method === "file") return hostname;
  if (search !== "") return null;
  return pathname === "/" ? hostname : hostname + pathname;
}

/** True if a proof is valid for an entry's current URL, or lack of one. */
export function isStillProven(url: string | null, { method, domain }: StoredVerified): boolean {
  return url !== null && provenBy(url, method) === domain;
}
