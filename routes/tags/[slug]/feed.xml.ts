import { feedHandlers, rssFeed, tagScope } from "@/lib/documents/feeds.ts";

export const handler = feedHandlers(rssFeed, (tag, deps) => tagScope(deps, tag));
