import { ClaimPage } from "@/components/ClaimPage.tsx";
import { define } from "@/lib/app/define.ts";
import { claimPageHandlers } from "@/lib/owners/handlers.ts";

export const handler = claimPageHandlers("skill");

export default define.page<typeof handler>(function ClaimSkill({ data, state, params }) {
  return <ClaimPage {...data} deps={state.deps} kind="skill" slug={params.slug!} />;
});
