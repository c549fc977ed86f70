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

/** `/sitemap.xml`: every address if they fit in one part, otherwise the index of all parts. */
export function sitemap(deps: Deps): Entity {
  return keptDocument(deps, "sitemap", () => {
    const parts = partsOf(deps);
    if (PAGES.length + deps.catalogue.size + deps.skills.size <= SITEMAP_PART) {
      return xml("urlset", parts.flatMap((part) => linesOf(deps, part)));
    }
    const index = parts.map((part) =>
      `<sitemap><loc>${escapeXml(deps.urls.to(paths.sitemapPart(part)))}</loc></sitemap>`
    );
    return xml("sitemapindex", index);
  });
}

/** One part of the sitemap: `pages`, or `projects-1`, `skills-1` and so on. Throws `not_found`. */
export function sitemapPart(deps: Deps, part: string): Entity {
  if (!partsOf(deps).includes(part)) throw new DomainError("not_found");
  return keptDocument(deps, `sitemap ${part}`, () => xml("urlset", linesOf(deps, part)));
}

function partsOf({ catalogue, skills }: Deps): string[] {
  const numbered = (kind: string, size: number) =>
    Array.from({ length: Math.ceil(size / SITEMAP_PART) }, (_, i) => `${kind}-${i + 1}`);
  return ["pages", ...numbered("projects", catalogue.size), ...numbered("skills", skills.size)];
}

/** The addresses in a part, those of entries with the time of their last edit. */
function linesOf({ catalogue, skills, urls }: Deps, part: string): string[] {
  if (part === "pages") {
    return PAGES.map((path) => `<url><loc>${escapeXml(urls.to(path))}</loc></url>`);
  }
  const [kind, number] = part.split("-");
  const entries = kind === "projects" ? catalogue : skills;
  const offset = (Number(number) - 1) * SITEMAP_PART;
  const { items } = entries.list({ sort: "new", limit: SITEMAP_PART, offset });
  return items.map(({ page, updatedAt }) =>
    `<url><loc>${escapeXml(page)}</loc><lastmod>${updatedAt}</lastmod></url>`
  );
}

function xml(root: string, lines: string[]): Entity {
  return entity(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${
      lines.join("\n")
    }\n</${root}>\n`,
    TYPES.xml,
  );
}
