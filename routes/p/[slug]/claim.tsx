import { ClaimPage } from "@/components/ClaimPage.tsx";
import { define } from "@/lib/app/define.ts";
import { claimPageHandlers } from "@/lib/owners/handlers.ts";

export const handler = claimPageHandlers("listing");

export default define.page<typeof handler>(function ClaimListing({ data, state, params }) {
  return <ClaimPage {...data} deps={state.deps} kind="listing" slug={params.slug!} />;
});
