import { startHandlers } from "@/lib/owners/handlers.ts";

export const handler = startHandlers("listing");
