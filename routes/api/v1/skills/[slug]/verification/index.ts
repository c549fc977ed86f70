import type { Deps } from "@/lib/app/deps.ts";
import { startHandlers } from "@/lib/owners/handlers.ts";

export const handler = startHandlers<Deps>("skill");
