import { WithdrawPage } from "@/components/WithdrawPage.tsx";
import { define } from "@/lib/app/define.ts";
import { withdrawHandlers } from "@/lib/owners/handlers.ts";

export const handler = withdrawHandlers("skill");

export default define.page<typeof handler>(function WithdrawSkill({ data, state, params }) {
  return <WithdrawPage {...data} deps={state.deps} kind="skill" slug={params.slug!} />;
});
