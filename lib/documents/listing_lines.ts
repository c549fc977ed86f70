import { placementLabel } from "../listings/markdown.ts";
import type { PublicListing } from "../listings/schema.ts";
import { escapeMarkdown } from "../text/escape.ts";

/** A listing as a link of llms.txt (llmstxt.org): name, page, tagline, and what was paid for. */
export function linkLine(listing: PublicListing): string {
  const label = placementLabel(listing);
  return `- [${escapeMarkdown(listing.name)}](${listing.page}.md): ` +
    `${escapeMarkdown(listing.tagline)}${label === null ? "" : ` (${label})`}`;
}
