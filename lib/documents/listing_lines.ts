import { placementLabel } from "../listings/markdown.ts";
import type { PublicListing } from "../listings/schema.ts";
import { escapeMarkdown } from "../text/escape.ts";

/**
 * A listing as a link in llms.txt (llmstxt.org): name, page, tagline, and what was paid for, in
 * words and as the flags of the API.
 */
export function linkLine(listing: PublicListing): string {
  const paid = [
    placementLabel(listing),
    listing.sponsored ? "sponsored: true" : null,
    listing.promoted ? "promoted: true" : null,
  ].filter((part) => part !== null);
  return `- [${escapeMarkdown(listing.name)}](${listing.page}.md): ` +
    `${escapeMarkdown(listing.tagline)}${paid.length === 0 ? "" : ` (${paid.join("; ")})`}`;
}
