import { categories } from "../catalog/categories.ts";
import { tools } from "../catalog/tools.ts";
import type { Deps } from "../deps.ts";
import { DomainError } from "../errors.ts";
import { type Entity, entity, TYPES } from "../http/respond.ts";
import type { PublicListing } from "../listings/schema.ts";
import { escapeXml } from "../text/escape.ts";
import { PAGE_PATHS, paths } from "../urls.ts";
import { document } from "./cache.ts";

/** Addresses of a part: sitemaps.org allows 50,000, but a part of 2,000 is made in some milliseconds. */
const SITEMAP_PART = 2_000;

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** Pages that are not listings; they show what changes all the time, so they claim no date. */
const PAGES = [
  ...PAGE_PATHS,
  ...categories.map(({ slug }) => paths.category(slug)),
  ...tools.map(({ slug }) => paths.tool(slug)),
];

/** The addresses of one part; `lastmod` is ISO 8601 and true, or absent. */
interface SitemapEntry {
  url: string;
  lastmod?: string;
}

/** `/sitemap.xml`: every address where they fit in one part, else the index of all parts. */
export function sitemap(deps: Deps): Entity {
  return document(deps, "sitemap", () => {
    const { listings } = deps.catalogue.counts();
    if (PAGES.length + listings + deps.skills.size <= SITEMAP_PART) {
      const entries = [...pageEntries(deps), ...projectEntries(deps, 1), ...skillEntries(deps, 1)];
      return xml("urlset", entries.map(toUrl));
    }
    const parts = [
      "pages",
      ...numbered("projects", listings),
      ...numbered("skills", deps.skills.size),
    ];
    const body = parts
      .map((part) =>
        `<sitemap><loc>${escapeXml(deps.urls.to(paths.sitemapPart(part)))}</loc></sitemap>`
      );
    return xml("sitemapindex", body);
  });
}

/** One part of the sitemap: `pages`, or `projects-1`, `skills-1` and so on. Throws `not_found`. */
export function sitemapPart(deps: Deps, part: string): Entity {
  const [, kind, number] = /^(pages|projects|skills)(?:-([1-9]\d{0,5}))?$/.exec(part) ?? [];
  const entries = kind === "pages" && number === undefined
    ? () => pageEntries(deps)
    : kind === "projects" && number !== undefined &&
        numbered("projects", deps.catalogue.counts().listings).includes(part)
    ? () => projectEntries(deps, Number(number))
    : kind === "skills" && number !== undefined &&
        numbered("skills", deps.skills.size).includes(part)
    ? () => skillEntries(deps, Number(number))
    : null;
  if (entries === null) throw new DomainError("not_found");
  return document(deps, `sitemap ${part}`, () => xml("urlset", entries().map(toUrl)));
}

function numbered(kind: string, total: number): string[] {
  return Array.from({ length: Math.ceil(total / SITEMAP_PART) }, (_, i) => `${kind}-${i + 1}`);
}

function pageEntries({ urls }: Deps): SitemapEntry[] {
  return PAGES.map((path) => ({ url: urls.to(path) }));
}

function projectEntries({ catalogue }: Deps, part: number): SitemapEntry[] {
  const { items } = catalogue.list({
    sort: "new",
    limit: SITEMAP_PART,
    offset: (part - 1) * SITEMAP_PART,
  });
  return items.map(({ page, updatedAt }: PublicListing) => ({ url: page, lastmod: updatedAt }));
}

function skillEntries({ skills, clock }: Deps, part: number): SitemapEntry[] {
  const { items } = skills.list({
    sort: "new",
    limit: SITEMAP_PART,
    offset: (part - 1) * SITEMAP_PART,
  }, clock.now());
  return items.map(({ page, updatedAt }) => ({ url: page, lastmod: updatedAt }));
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
