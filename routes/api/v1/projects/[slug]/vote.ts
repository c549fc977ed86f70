import { voteHandlers } from "@/lib/votes/handlers.ts";

export const handler = voteHandlers("listing");
