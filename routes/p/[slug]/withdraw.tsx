import { Time } from "@/components/Time.tsx";
import { WithdrawPage } from "@/components/WithdrawPage.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { keyPageHandlers } from "@/lib/entries/key_page.ts";
import { nameOfEditable } from "@/lib/listings/service.ts";
import { withdrawEntry } from "@/lib/owners/withdrawal.ts";

export const handler = keyPageHandlers(nameOfEditable, async (deps: Deps, options) => {
  await withdrawEntry(deps, "listing", options);
  return true;
});

export default define.page<typeof handler>(function WithdrawListing({ data, state, params }) {
  const slug = params.slug!;
  const { promotion, sponsored } = state.deps.catalogue.get(slug) ?? {};
  return (
    <WithdrawPage {...data} deps={state.deps} kind="listing" slug={slug}>
      {promotion && (
        <p class="notice">
          Its {promotion.name} promotion is paid for through{" "}
          <Time iso={promotion.endsAt} />. If you withdraw it, you lose the rest.
        </p>
      )}
      {sponsored && (
        <p class="notice">
          It has the Front Row this week. If you withdraw it, you lose the rest of the week.
        </p>
      )}
    </WithdrawPage>
  );
});
