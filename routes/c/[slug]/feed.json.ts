import { feedHandlers, feedScope, jsonFeed } from "@/lib/documents/feeds.ts";

export const handler = feedHandlers(jsonFeed, (slug) => feedScope("category", slug));
