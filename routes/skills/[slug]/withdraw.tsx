import { WithdrawPage } from "@/components/WithdrawPage.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { withdrawalHandlers } from "@/lib/owners/withdrawal_handlers.ts";
import { getSkill } from "@/lib/skills/service.ts";
import { paths } from "@/lib/urls.ts";

export const handler = withdrawalHandlers(
  "skill",
  async (deps: Deps, slug) => (await getSkill(deps, slug)).title,
);

export default define.page<typeof handler>(function WithdrawSkill({ data, state, params }) {
  const slug = params.slug!;
  return (
    <WithdrawPage
      {...data}
      deps={state.deps}
      kind="skill"
      page={paths.skill(slug)}
      action={paths.skillWithdraw(slug)}
      submit={paths.skillSubmit}
    />
  );
});
