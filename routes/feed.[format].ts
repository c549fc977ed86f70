import { feedHandlers } from "@/lib/documents/feeds.ts";

export const handler = feedHandlers("projects");
