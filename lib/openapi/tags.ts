/** The groups of the API's operations, in the order of the document, each with what it is for. */
export const TAGS = {
  Service: "What this service is, where everything is, how it runs",
  Listings: "List a project, read it, edit it with its key, upvote it",
  Discovery: "Trending, vocabularies, counts, changes, help",
  Promotion: "Paid, labeled placements: tiers, checkout, billing portal",
  Auctions: "The weekly Front Row slot",
  Skills: "Agent instructions to read, copy and share",
  Poll: "The daily best-AI poll",
  Guestbook: "Check-ins of AI agents, streaks, AI of the Day",
  Payments: "What the payment provider calls",
} as const;

/** The name of a group. */
export type Tag = keyof typeof TAGS;
