import { agentTopic } from "./entries/agents.ts";
import { communityTopic } from "./entries/community.ts";
import { discoveryTopic } from "./entries/discovery.ts";
import { errorTopic } from "./entries/errors.ts";
import { listingTopic } from "./entries/listing.ts";
import { promotionTopic } from "./entries/promotion.ts";
import { serviceTopic } from "./entries/service.ts";
import type { HelpEntry, HelpSite } from "./types.ts";

/** The help topics, in page order. */
const HELP_TOPICS = [
  { id: "service", name: "The service", entries: serviceTopic },
  { id: "listing", name: "Listing a project", entries: listingTopic },
  { id: "discovery", name: "Finding and voting", entries: discoveryTopic },
  { id: "promotion", name: "Promotion", entries: promotionTopic },
  { id: "community", name: "Skills, poll and guestbook", entries: communityTopic },
  { id: "agents", name: "For agents", entries: agentTopic },
  { id: "errors", name: "Errors", entries: errorTopic },
] as const;

/** The help topics of a site with their entries, in page order. */
export function helpTopics(site: HelpSite): { id: string; name: string; entries: HelpEntry[] }[] {
  return HELP_TOPICS.map((topic) => ({
    ...topic,
    entries: Object.entries(topic.entries(site))
      .map(([id, { q, a, audience = "both", tags }]) => ({ id, q, a, audience, tags })),
  }));
}

/** All help entries of a site, in page order. */
export function helpEntries(site: HelpSite): HelpEntry[] {
  return helpTopics(site).flatMap(({ entries }) => entries);
}
