import { formatCount } from "../text/count.ts";
import { escapeMarkdown, escapeXml, linkText } from "../text/escape.ts";
import type { PublicListing } from "./schema.ts";

/**
 * A listing's badge: 'Listed on <site>' and its vote count. With null votes it says that there is
 * no such listing. It contains only the site's name and digits, never user text.
 */
export function badgeSvg(siteName: string, votes: number | null): string {
  const text = votes === null ? `Not listed on ${siteName}` : `Listed on ${siteName}`;
  const label = escapeXml(text);
  const count = votes === null ? "404" : `▲ ${formatCount(votes)}`;
  // Widths by character count, for 11 px Verdana with some padding. Wide characters count twice.
  const left = 14 + Math.ceil(text.replace(/[MW\u1100-\u{10ffff}]/gu, "mm").length * 6.6);
  const right = 14 + Math.ceil(count.length * 7);
  const width = left + right;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="24" role="img" ` +
    `aria-label="${label}: ${count}"><title>${label}: ${count}</title>` +
    `<rect width="${width}" height="24" rx="4" fill="#171512"/>` +
    `<rect x="${left}" width="${right}" height="24" rx="4" fill="#684CFF"/>` +
    `<rect x="${left}" width="6" height="24" fill="#684CFF"/>` +
    `<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" ` +
    `text-anchor="middle"><text x="${left / 2}" y="16">${label}</text>` +
    `<text x="${left + right / 2}" y="16">${count}</text></g></svg>`;
}

/** The badge's address and ready-made snippets for a README or a page. */
export function badgeSnippets(
  listing: Pick<PublicListing, "name" | "page" | "badgeUrl">,
): { svg: string; markdown: string; html: string } {
  const { page, badgeUrl } = listing;
  return {
    svg: badgeUrl,
    markdown: `[![${linkText(escapeMarkdown(listing.name))}](${badgeUrl})](${page})`,
    html: `<a href="${page}"><img src="${badgeUrl}" ` +
      `alt="${escapeXml(listing.name)}" height="24"></a>`,
  };
}
