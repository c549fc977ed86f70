import { placementLabel } from "../listings/markdown.ts";
import type { PublicListing } from "../listings/schema.ts";
import { escapeMarkdown } from "../text/escape.ts";

/** A listing as a link of llms.txt (llmstxt.org): name, page, tagline, and what was paid for. */
export function linkLine(listing: PublicListing): string {
  const label = placementLabel(listing);
  return `- [${escapeMarkdown(listing.name)}](${listing.page}.md): ` +
    `${escapeMarkdown(listing.tagline)}${label === null ? "" : ` (${label})`}`;
}

/** The listing that holds the Front Row, in a list; empty where nobody does. */
export function frontRowOf(
  catalogue: { frontRow: string | null; get(slug: string): PublicListing | undefined },
): PublicListing[] {
  const slug = catalogue.frontRow;
  const listing = slug === null ? undefined : catalogue.get(slug);
  return listing === undefined ? [] : [listing];
}
