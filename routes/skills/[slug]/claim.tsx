import { ClaimPage } from "@/components/ClaimPage.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { claimPageHandlers } from "@/lib/owners/handlers.ts";
import { getSkill } from "@/lib/skills/service.ts";

export const handler = claimPageHandlers("skill", async (deps: Deps, slug) => {
  const { title, verified } = await getSkill(deps, slug);
  return { name: title, verified };
});

export default define.page<typeof handler>(function ClaimSkill({ data, state, params }) {
  return <ClaimPage {...data} deps={state.deps} kind="skill" slug={params.slug!} />;
});
