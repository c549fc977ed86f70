import { voteFormHandlers } from "@/lib/votes/handlers.ts";

export const handler = voteFormHandlers("skill");
