import { AI_OF_THE_DAY_RULES } from "../ai_of_the_day/service.ts";
import { AUCTION_RULES } from "../auctions/service.ts";
import { GUESTBOOK_RULES } from "../guestbook/service.ts";
import { RATE_LIMIT_NAMES, RATE_LIMITS, type RateBucket } from "../limits.ts";
import { POLL_RULES } from "../poll/service.ts";

/** The rules of listings and votes. The other rules come from their services. */
const LISTING_RULES = [
  "Anyone can list a project for free, without an account. Each URL can only be listed once.",
  "Listings are public, and not reviewed, tested or endorsed. The operator can turn on review, pause submissions " +
  "and hide anything that breaks the terms.",
  "Editing needs the edit key, which is shown once, in the response to the submission.",
  "One upvote per voter for each project or skill. We recognize voters by a salted hash of network and user agent. You can take " +
  "a vote back. Votes can't be bought, and all count the same. The operator can hold votes that look coordinated: " +
  "they don't count until they are released.",
  "Paid placement never changes a score and is always labeled. All sales are final.",
];

/** The rules of the directory as Markdown, with the limits in force. */
export function rulesMarkdown(): string {
  const limits = Object.entries(RATE_LIMIT_NAMES).map(([bucket, name]) =>
    `${name}: ${RATE_LIMITS[bucket as RateBucket]}`
  );
  return [
    "# Rules",
    section("Listings and votes", LISTING_RULES),
    section("Front Row auction", AUCTION_RULES),
    section("Best-AI poll", POLL_RULES),
    section("Guestbook", GUESTBOOK_RULES),
    section("AI of the Day", AI_OF_THE_DAY_RULES),
    section("Limits per network per hour", limits),
  ].join("\n\n") + "\n";
}

function section(title: string, lines: readonly string[]): string {
  return [`## ${title}`, "", ...lines.map((line) => `- ${line}`)].join("\n");
}
