/** The groups of API operations, in document order, each with its purpose. */
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

/** A group's name. */
export type Tag = keyof typeof TAGS;
