import { Head } from "fresh/runtime";
import type { Deps } from "../lib/app/deps.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { jsonForScript } from "../lib/text/escape.ts";
import { paths, twinPath } from "../lib/urls.ts";

/** What a page tells browsers, search engines and link previews about itself. */
export interface PageHeadProps {
  deps: Deps;
  /** The site's name is put behind it, unless it is whole as it is. */
  title: string;
  isWhole?: boolean;
  /** What sets a view of a list apart, such as its page: it ends the title, not that of the feed. */
  view?: readonly (string | undefined)[];
  /** What is wrong with what was sent by the form of the page: the title begins with that. */
  problems?: readonly FieldProblem[];
  description?: string;
  /**
   * Path of the page, from which its Markdown twin is named; left out if search engines should not
   * keep it.
   */
  path?: string;
  /** Path of the JSON twin. */
  json?: string;
  /** Path of the RSS feed of what the page lists, beside that of the whole site. */
  feed?: string;
  /** Path of a picture of 1200 by 630; if left out, the picture of the site. */
  image?: string;
  /** Schema.org facts. */
  jsonLd?: Record<string, unknown>;
}

/** Title, description, canonical address, twins and preview of a page. */
export function PageHead(props: PageHeadProps) {
  const { description, path, image = paths.siteImage } = props;
  const { urls, env } = props.deps;
  const named = (own: string) => props.isWhole ? own : `${own} · ${env.siteName}`;
  const viewed = [props.title, ...(props.view ?? [])].filter(Boolean).join(", ");
  const title = named(props.problems?.length ? `Error: ${viewed}` : viewed);
  const markdown = path === undefined ? null : twinPath(path);
  return (
    <Head>
      <title>{title}</title>
      {description && <meta name="description" content={description} />}
      {path === undefined
        ? <meta name="robots" content="noindex" />
        : <link rel="canonical" href={urls.to(path)} />}
      {markdown && <link rel="alternate" type="text/markdown" href={urls.to(markdown)} />}
      {props.json && <link rel="alternate" type="application/json" href={urls.to(props.json)} />}
      {props.feed && (
        <link
          rel="alternate"
          type="application/rss+xml"
          title={named(props.title)}
          href={props.feed}
        />
      )}
      <meta property="og:title" content={title} />
      {description && <meta property="og:description" content={description} />}
      {path !== undefined && <meta property="og:url" content={urls.to(path)} />}
      <meta property="og:image" content={urls.to(image)} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={props.image === undefined ? env.siteName : title} />
      <meta name="twitter:card" content="summary_large_image" />
      {props.jsonLd && (
        <script
          type="application/ld+json"
          dangerouslySetInnerHTML={{ __html: jsonForScript(props.jsonLd) }}
        />
      )}
    </Head>
  );
}
