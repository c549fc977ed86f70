import { define } from "@/lib/app/define.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { paths } from "@/lib/urls.ts";

/**
 * Content-Signal (contentsignals.org) says what the content may be used for: all of it may be
 * found, quoted and learned from. Crawlers are kept away from addresses that count or change
 * something. Those lines come before the one that allows the rest: by RFC 9309 the longest match
 * wins, but some parsers (including Python's own) take the first.
 */
export const handler = define.handlers({
  GET(ctx) {
    const text = [
      "User-agent: *",
      "Content-Signal: search=yes, ai-input=yes, ai-train=yes",
      "Disallow: /go/",
      "Disallow: /checkout/",
      "Allow: /",
      "",
      `Sitemap: ${ctx.state.deps.urls.to(paths.sitemap)}`,
      "",
    ].join("\n");
    return cached(ctx, entity(text, TYPES.text), { maxAge: 3600 });
  },
});
