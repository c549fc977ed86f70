import { feedHandlers, jsonFeed } from "@/lib/documents/feeds.ts";

export const handler = feedHandlers(jsonFeed, () => ({ kind: "gems" }));
