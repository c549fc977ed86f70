import { checkHandlers } from "@/lib/owners/handlers.ts";

export const handler = checkHandlers("listing");
