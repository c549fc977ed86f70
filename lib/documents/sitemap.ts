import { categories } from "../catalog/categories.ts";
import { tools } from "../catalog/tools.ts";
import type { Deps } from "../discovery/deps.ts";
import { DomainError } from "../errors.ts";
import { type Entity, entity, TYPES } from "../http/respond.ts";
import { escapeXml } from "../text/escape.ts";
import { PAGE_PATHS, paths } from "../urls.ts";
import { keptDocument } from "./cache.ts";

/** How many addresses a part has. sitemaps.org allows 50,000, but 2,000 take only milliseconds. */
const SITEMAP_PART = 2_000;

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** Pages that are not listings. Their content changes all the time, so they have no date. */
const PAGES = [
  ...PAGE_PATHS,
  ...categories.map(({ slug }) => paths.category(slug)),
  ...tools.map(({ slug }) => paths.tool(slug)),
];

/** An address of a part. `lastmod` is an ISO 8601 time, if one is known. */
interface SitemapEntry {
  url: string;
  lastmod?: string;
}

/** `/sitemap.xml`: every address if they fit in one part, otherwise the index of all parts. */
export function sitemap(deps: Deps): Entity {
  return keptDocument(deps, "sitemap", () => {
    const parts = partsOf(deps);
    if (PAGES.length + deps.catalogue.size + deps.skills.size <= SITEMAP_PART) {
      return xml("urlset", [...parts.values()].flatMap((entries) => entries()).map(toUrl));
    }
    const index = [...parts.keys()].map((part) =>
      `<sitemap><loc>${escapeXml(deps.urls.to(paths.sitemapPart(part)))}</loc></sitemap>`
    );
    return xml("sitemapindex", index);
  });
}

/** One part of the sitemap: `pages`, or `projects-1`, `skills-1` and so on. Throws `not_found`. */
export function sitemapPart(deps: Deps, part: string): Entity {
  const entries = partsOf(deps).get(part);
  if (entries === undefined) throw new DomainError("not_found");
  return keptDocument(deps, `sitemap ${part}`, () => xml("urlset", entries().map(toUrl)));
}

/** The parts by name, each with the function that makes its entries. */
function partsOf({ catalogue, skills, urls }: Deps): Map<string, () => SitemapEntry[]> {
  const range = (offset: number) => ({ sort: "new", limit: SITEMAP_PART, offset }) as const;
  return new Map([
    ["pages", () => PAGES.map((path) => ({ url: urls.to(path) }))],
    ...numbered(
      "projects",
      catalogue.size,
      (offset) => catalogue.list(range(offset)).items,
    ),
    ...numbered("skills", skills.size, (offset) => skills.list(range(offset)).items),
  ]);
}

function numbered(
  kind: string,
  total: number,
  list: (offset: number) => { page: string; updatedAt: string }[],
): [name: string, entries: () => SitemapEntry[]][] {
  return Array.from({ length: Math.ceil(total / SITEMAP_PART) }, (_, i) => [
    `${kind}-${i + 1}`,
    () => list(i * SITEMAP_PART).map(({ page, updatedAt }) => ({ url: page, lastmod: updatedAt })),
  ]);
}

function toUrl({ url, lastmod }: SitemapEntry): string {
  return `<url><loc>${escapeXml(url)}</loc>${
    lastmod === undefined ? "" : `<lastmod>${lastmod}</lastmod>`
  }</url>`;
}

function xml(root: string, lines: string[]): Entity {
  return entity(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${
      lines.join("\n")
    }\n</${root}>\n`,
    TYPES.xml,
  );
}
