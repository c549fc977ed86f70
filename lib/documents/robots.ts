import { paths, type Urls } from "../urls.ts";

/**
 * `/robots.txt`. Content-Signal (contentsignals.org) says what answers may be used for: everything here is
 * public to be found, quoted and learnt from. Addresses that count or change something are kept from crawlers.
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
