import { paths, type Urls } from "../urls.ts";

/**
 * `/robots.txt`. Content-Signal (contentsignals.org) says what the content may be used for: all of
 * it may be found, quoted and learnt from. Crawlers are kept from addresses that count or change
 * something.
 */
export function robotsText(urls: Urls): string {
  return [
    "User-agent: *",
    "Content-Signal: search=yes, ai-input=yes, ai-train=yes",
    "Allow: /",
    "Disallow: /go/",
    "Disallow: /checkout/",
    "",
    `Sitemap: ${urls.to(paths.sitemap)}`,
    "",
  ].join("\n");
}
