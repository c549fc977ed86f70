import { TYPES } from "../http/respond.ts";
import { paths, type Urls } from "../urls.ts";

/**
 * `Link` headers of the home page (RFC 8288): where programs find what the page shows to people.
 */
export function homeLinks(urls: Urls): string[] {
  const link = (path: string, rel: string, type: string) =>
    `<${urls.to(path)}>; rel="${rel}"; type="${type}"`;
  return [
    link(paths.apiCatalog, "api-catalog", "application/linkset+json"),
    link(paths.openapi, "service-desc", "application/json"),
    link(paths.apiReference, "service-doc", "text/html"),
    link(paths.mcpCard, "describedby", TYPES.serverCard),
    link(paths.ardManifest, "ard", "application/json"),
    link(paths.llms, "describedby", "text/plain"),
    link(paths.feed, "alternate", "application/rss+xml"),
    link(paths.jsonFeed, "alternate", "application/feed+json"),
  ];
}
