import { feedHandlers, feedScope, rssFeed } from "@/lib/documents/feeds.ts";

export const handler = feedHandlers(rssFeed, (slug) => feedScope("tool", slug));
