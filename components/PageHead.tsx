import { Head } from "fresh/runtime";
import type { Deps } from "../lib/app/deps.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { jsonForScript } from "../lib/text/escape.ts";
import { paths, twinPath } from "../lib/urls.ts";

/** What a page tells browsers, search engines and link previews about itself. */
export interface PageHeadProps {
  deps: Deps;
  /** The site's name is appended, unless the title is complete. */
  title: string;
  isWhole?: boolean;
  /**
   * What distinguishes a view of a list, such as its page number: appended to the title, but not to
   * the feed's.
   */
  view?: readonly (string | undefined)[];
  /** What is wrong with the submitted form: the title starts with it. */
  problems?: readonly FieldProblem[];
  description?: string;
  /**
   * The page's path, also used for its Markdown twin; absent if search engines shouldn't index it.
   */
  path?: string;
  /** The path of the JSON twin. */
  json?: string;
  /** The path of the page's own RSS feed, next to the site's. */
  feed?: string;
  /** The path of an image of 1200 by 630; if absent, the site's. */
  image?: string;
  /** Schema.org facts. */
  jsonLd?: Record<string, unknown>;
}

/** A page's title, description, canonical URL, twins and preview. */
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
