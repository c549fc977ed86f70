import { asset } from "fresh/runtime";
import { SiteFooter } from "@/components/SiteFooter.tsx";
import { SiteHeader } from "@/components/SiteHeader.tsx";
import { StaleNotice } from "@/components/StaleNotice.tsx";
import { siteLook, themeColor } from "@/lib/ai_of_the_day/look.ts";
import { define } from "@/lib/app/define.ts";
import { requestTheme } from "@/lib/themes/cookie.ts";
import { paths } from "@/lib/urls.ts";

/** Pages with their own search field. */
const SEARCHED = /^\/(?:(?:projects|skills|help)?|[ct]\/.*)$/;

/** Pages with vote buttons. They load a script anyway, so their theme switch can use it. */
const VOTED_ON = /^\/(?:(?:projects|skills)?|(?:c|t|p|skills)\/(?!submit$)[^/]+)$/;

export default define.page(async function App({ Component, state, req, url, error }) {
  const { deps } = state;
  const { siteName } = deps.env;
  const theme = requestTheme(req);
  const look = await siteLook(deps);
  const color = themeColor(theme, look);
  // An error page shows nothing that could be outdated.
  const staleSince = error ? null : deps.tail.staleSince;
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{siteName}</title>
        <meta property="og:site_name" content={siteName} />
        <meta property="og:type" content="website" />
        {color && <meta name="theme-color" content={color} />}
        <link
          rel="preload"
          as="font"
          type="font/woff2"
          href={asset("/fonts/newsreader-500.woff2")}
          crossorigin="anonymous"
        />
        <link rel="stylesheet" href={look.href} />
        <link rel="stylesheet" href={asset("/styles.css")} />
        <link rel="icon" href={asset("/favicon.svg")} type="image/svg+xml" />
        <link rel="apple-touch-icon" href={asset("/icon-180.png")} />
        <link rel="manifest" href={paths.manifest} />
        <link rel="alternate" type="application/rss+xml" title={siteName} href={paths.feed} />
      </head>
      <body>
        <SiteHeader
          siteName={siteName}
          path={url.pathname}
          theme={theme}
          back={req.method === "POST" ? null : url.pathname + url.search}
          hasScript={!error && VOTED_ON.test(url.pathname)}
          hasSearch={!error && SEARCHED.test(url.pathname)}
        />
        {staleSince !== null && <StaleNotice since={staleSince} />}
        <Component />
        <SiteFooter siteName={siteName} />
      </body>
    </html>
  );
});
