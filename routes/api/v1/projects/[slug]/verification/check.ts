import type { Deps } from "@/lib/app/deps.ts";
import { getListing } from "@/lib/listings/service.ts";
import { checkHandlers } from "@/lib/owners/handlers.ts";

export const handler = checkHandlers("listing", async (deps: Deps, slug) => ({
  project: await getListing(deps, slug),
}));
