import type { Deps } from "@/lib/app/deps.ts";
import { checkHandlers } from "@/lib/owners/handlers.ts";
import { getSkill } from "@/lib/skills/service.ts";

export const handler = checkHandlers("skill", async (deps: Deps, slug) => ({
  skill: await getSkill(deps, slug),
}));
