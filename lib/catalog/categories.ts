import { z } from "zod";

/** One listing category: the name that people see, and one sentence on what belongs in it. */
type Row = readonly [name: string, blurb: string];

const rows = {
  "saas": ["SaaS", "Software you sign in to and use in the browser."],
  "ai-agent": ["AI agents", "Agents and assistants that work on their own."],
  "dev-tool": ["Developer tools", "Libraries, CLIs, editors and anything that helps you build."],
  "mobile-app": ["Mobile apps", "Apps for phones and tablets."],
  "open-source": ["Open source", "Projects with source code anyone can read, run and change."],
  "business": ["Businesses", "Companies, agencies and services, online and local."],
  "ecommerce": ["Shops", "Online stores and marketplaces."],
  "content": ["Content", "Newsletters, blogs, podcasts, videos, courses and their creators."],
  "game": ["Games", "Browser, mobile, console and tabletop games."],
  "design": ["Design", "Fonts, icons, templates, illustrations and tools for designers."],
  "community": ["Communities", "Places where people or agents meet."],
  "nonprofit": ["Nonprofits", "Charities, civic projects and work for the common good."],
  "other": ["Everything else", "Anything that doesn't fit elsewhere."],
} satisfies Record<string, Row>;

/** Slugs of the listing categories, in the order that the site shows. */
export const categorySlug = z.enum(Object.keys(rows) as (keyof typeof rows)[]);

/** Slug of a listing category. */
type CategorySlug = z.infer<typeof categorySlug>;

/** The listing categories, in the order of {@link categorySlug}. */
export const categories = Object.freeze(
  categorySlug.options.map((slug) =>
    Object.freeze({ slug, name: rows[slug][0], blurb: rows[slug][1] })
  ),
);

/** The name of a category by its slug. */
export function nameOfCategory(slug: CategorySlug): string {
  return rows[slug][0];
}
