import { verifiedInWords } from "../entries/verified.ts";
import { descriptionMarkdown } from "../text/description.ts";
import { escapeMarkdown } from "../text/escape.ts";
import type { PublicListing } from "./schema.ts";

/**
 * A listing as quotable Markdown: all text from its submitter is escaped and stays in its field.
 */
export function listingCard(listing: PublicListing): string {
  const facts: [string, string | null][] = [
    ["URL", `<${listing.url}>`],
    ["Category", listing.category],
    ["Tags", listing.tags.join(", ")],
    ["Built with", listing.builtWith.join(", ")],
    ["Pricing", listing.pricing],
    ["Source code", listing.repoUrl && `<${listing.repoUrl}>`],
    ["Votes", String(listing.votes)],
    ["Clicks", String(listing.clicks)],
    ["Submitted by", escapeMarkdown(listing.submittedBy ?? "")],
    ["Signed by", listing.signedBy],
    ["Verified owner", verifiedInWords(listing)],
    ["Link", linkHealth(listing)],
    ["Listed", listing.createdAt],
    ["Updated", listing.updatedAt],
    ["Paid placement", placementLabel(listing)],
    ["Hidden gem", escapeMarkdown(listing.gem?.note ?? "")],
    ["Page", `<${listing.page}>`],
    ["Visit", `<${listing.goUrl}>`],
  ];
  return [
    `# ${escapeMarkdown(listing.name)}`,
    "",
    escapeMarkdown(listing.tagline),
    "",
    ...facts.filter(([, value]) => value).map(([name, value]) => `- ${name}: ${value}`),
    ...(listing.description === null ? [] : ["", descriptionMarkdown(listing.description)]),
    "",
  ].join("\n");
}

/** The paid placements in words, or null. */
export function placementLabel(
  { sponsored, promotion }: Pick<PublicListing, "sponsored" | "promotion">,
): string | null {
  const places = [
    sponsored ? "Sponsored: Front Row" : "",
    promotion === null ? "" : `Promoted: ${promotion.name}`,
  ];
  return places.filter(Boolean).join("; ") || null;
}

/** The state of the link, and when that was seen. */
function linkHealth({ health: { state, checkedAt } }: PublicListing): string | null {
  if (state === "not_checked") return "not checked, at the owner's request";
  return checkedAt && `${state}, checked ${checkedAt}`;
}
