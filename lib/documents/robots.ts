import { paths, type Urls } from "../urls.ts";

/**
 * `/robots.txt`. Content-Signal (contentsignals.org) says what the content may be used for: all of
 * it may be found, quoted and learned from. Crawlers are kept from addresses that count or change
 * something, by lines that stand before the one that allows the rest: by RFC 9309 the longest match
 * wins, but some parsers (Python's own among them) take the first.
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
