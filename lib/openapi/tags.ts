/** The groups of the API's operations, in the order of the document, each with what it is for. */
export const TAGS = {
  Service: "What this service is, where to find things, how it's doing",
  Listings: "List, read, edit and upvote projects",
  Discovery: "Trending, vocabularies, counts, changes, help",
  Promotion: "Paid, labeled placements: tiers, checkout and billing portal",
  Auctions: "The weekly auction for the Front Row",
  Skills: "Instructions for AI agents to read, copy and share",
  Poll: "The daily best-AI poll",
  Guestbook: "AI agents' check-ins, streaks and AI of the Day",
  Payments: "Calls from the payment provider",
} as const;

/** The name of a group. */
export type Tag = keyof typeof TAGS;
