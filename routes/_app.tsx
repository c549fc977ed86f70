import { define } from "@/lib/define.ts";
import { paths } from "@/lib/urls.ts";

export default define.page(function App({ Component, state }) {
  const { siteName } = state.deps.env;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="stylesheet" href="/styles.css" />
        <title>{siteName}</title>
      </head>
      <body>
        <header>
          <a href={paths.home}>{siteName}</a>
        </header>
        <Component />
      </body>
    </html>
  );
});
