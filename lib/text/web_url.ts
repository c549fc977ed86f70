import ipaddr from "ipaddr.js";
import { domainToUnicode } from "node:url";
import { parse as parseHost } from "tldts";
import { z } from "zod";
import { LIMITS } from "../limits.ts";
import { rawCap, removeInvisible } from "./clean.ts";
import { isPublicAddress } from "./public_address.ts";

const MAX = LIMITS.urlMax;
const TOO_LONG = `must have at most ${MAX} characters`;
const FULL = /^https?:\/\/[^/]/i;
// deno-lint-ignore no-control-regex
const NOT_IN_URL = /[\s\x00-\x1F\x7F-\x9F\\]/;
/** Top-level domains in the public suffix list that public DNS doesn't serve to visitors. */
const SPECIAL_ENDINGS = new Set(["arpa", "onion"]);
/**
 * Top-level domains reserved for examples and tests (RFC 2606). Nobody can register them and no
 * private network uses them, so they are allowed.
 */
const EXAMPLE_ENDINGS = new Set(["example", "invalid", "test"]);
/** Characters that `URL` leaves in a path, query or fragment but RFC 3986 forbids. */
const NOT_IN_URI = /%(?![\da-f]{2})|[^\w.~:/?#@!$&'()*+,;=%-]|(?<=#[^#]*)#/gi;
/** How `URL` writes an IPv4 address in any notation; no name is only digits and dots. */
const IPV4 = /^[\d.]+$/;

/**
 * A zod string for a web page's address: full http(s), no credentials, a public host, up to 500
 * characters. The value is normalized by `URL` (lowercase punycode host), but a bare origin keeps
 * its missing slash.
 */
export function webUrl(): z.ZodString {
  return z.string().check((context) => {
    const raw = context.value;
    const result = raw.length > rawCap(MAX) ? { problems: [TOO_LONG] } : readUrl(raw);
    if ("href" in result) context.value = result.href;
    else {
      for (const problem of result.problems) {
        context.issues.push({ code: "custom", input: raw, message: `URL ${problem}` });
      }
    }
  }).meta({ format: "uri", maxLength: MAX });
}

/**
 * True if a host (name, IPv4 or bracketed IPv6, as in `URL`) is public or reserved for examples.
 */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  if (ipaddr.isValid(host)) return isPublicAddress(host);
  // A whole public suffix can be a site, such as gov.uk.
  const { publicSuffix, isIcann } = parseHost(host);
  const ending = /^[^.].*\.([^.]+)$/.exec(host)?.[1] ?? "";
  return publicSuffix !== null && ending !== "" &&
    (isIcann === true || EXAMPLE_ENDINGS.has(ending)) && !SPECIAL_ENDINGS.has(ending);
}

/**
 * A host for people: Unicode if each label is in one script explained by its top-level domain or
 * common use, otherwise in `xn--` form, so no look-alike letter passes for another.
 */
export function displayHost(hostname: string): string {
  if (!hostname.includes("xn--")) return hostname;
  const unicode = domainToUnicode(hostname);
  return unicode !== "" && isOneScript(unicode) ? unicode : hostname;
}

const SCRIPTS = [
  /^[\p{Script=Latin}\p{M}\d-]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\d-]+$/u,
  /^[\p{Script=Hangul}\p{Script=Han}\d-]+$/u,
  ..."Arabic Armenian Bengali Devanagari Georgian Gujarati Hebrew Tamil Thai".split(" ")
    .map((script) => new RegExp(String.raw`^[\p{Script=${script}}\p{M}\d-]+$`, "u")),
];
/** Scripts with letters that look Latin. Shown only under a top-level domain in the same script. */
const LOOKALIKES = [/^[\p{Script=Cyrillic}\d-]+$/u, /^[\p{Script=Greek}\d-]+$/u];

function isOneScript(host: string): boolean {
  const labels = host.split(".");
  const scripts = [...SCRIPTS, ...LOOKALIKES.filter((script) => script.test(labels.at(-1)!))];
  return labels.every((label) => scripts.some((script) => script.test(label)));
}

function readUrl(raw: string): { href: string } | { problems: string[] } {
  if (!raw.isWellFormed()) return { problems: ["must not contain an invalid character"] };
  const typed = removeInvisible(raw).trim();
  const problems = typed.length > MAX ? [TOO_LONG] : [];
  if (FULL.test(typed) && NOT_IN_URL.test(typed)) {
    problems.push("must not contain spaces, control characters or backslashes");
    return { problems };
  }
  const url = FULL.test(typed) ? URL.parse(typed) : null;
  if (!url || url.port === "0") {
    problems.push("must be a full http or https URL, such as https://example.com");
    return { problems };
  }
  if (authority(typed).includes("@")) problems.push("must not contain a user name or password");
  const disguised = IPV4.test(url.hostname) && typedHost(typed) !== url.hostname;
  if (disguised || !isPublicHost(url.hostname)) {
    problems.push("must have a public host name, such as example.com");
  }
  const href = uriOf(url);
  if (problems.length === 0 && href.length > MAX) problems.push(`${TOO_LONG} once encoded`);
  return problems.length > 0 ? { problems } : { href: href === `${typed}/` ? typed : href };
}

function uriOf({ origin, href }: URL): string {
  return origin + href.slice(origin.length).replace(NOT_IN_URI, encodeURIComponent);
}

function authority(typed: string): string {
  return typed.slice(typed.indexOf("//") + 2).split(/[/?#]/, 1)[0]!;
}

function typedHost(typed: string): string {
  return authority(typed).replace(/^.*@|:\d*$/g, "");
}
