import { WithdrawPage } from "@/components/WithdrawPage.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { keyPageHandlers } from "@/lib/entries/key_page.ts";
import { withdrawEntry } from "@/lib/owners/withdrawal.ts";
import { getSkill } from "@/lib/skills/service.ts";

export const handler = keyPageHandlers(
  async (deps: Deps, slug) => (await getSkill(deps, slug)).title,
  async (deps, options) => {
    await withdrawEntry(deps, "skill", options);
    return true;
  },
);

export default define.page<typeof handler>(function WithdrawSkill({ data, state, params }) {
  return <WithdrawPage {...data} deps={state.deps} kind="skill" slug={params.slug!} />;
});
