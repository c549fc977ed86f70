import { feedHandlers, rssFeed } from "@/lib/documents/feeds.ts";

export const handler = feedHandlers(rssFeed, () => ({ kind: "skills" }));
