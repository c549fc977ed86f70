import { paths, type Urls } from "../urls.ts";

/**
 * `/robots.txt`. Content-Signal (contentsignals.org) says what the content may be used for: all of
 * it may be found, quoted and learned from. Crawlers are kept away from addresses that count or
 * change something. Those lines come before the one that allows the rest: by RFC 9309 the longest
 * match wins, but some parsers (including Python's own) take the first.
 */
export function robotsText(urls: Urls): string {
  return [
    "User-agent: *",
    "Content-Signal: search=yes, ai-input=yes, ai-train=yes",
    "Disallow: /go/",
    "Disallow: /checkout/",
    "Allow: /",
    "",
    `Sitemap: ${urls.to(paths.sitemap)}`,
    "",
  ].join("\n");
}
