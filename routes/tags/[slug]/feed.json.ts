import { feedHandlers, jsonFeed, tagScope } from "@/lib/documents/feeds.ts";

export const handler = feedHandlers(jsonFeed, (tag, deps) => tagScope(deps, tag));
