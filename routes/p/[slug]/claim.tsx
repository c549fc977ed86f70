import { ClaimPage } from "@/components/ClaimPage.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { getListing } from "@/lib/listings/service.ts";
import { claimPageHandlers } from "@/lib/owners/handlers.ts";

export const handler = claimPageHandlers("listing", (deps: Deps, slug) => getListing(deps, slug));

export default define.page<typeof handler>(function ClaimListing({ data, state, params }) {
  return <ClaimPage {...data} deps={state.deps} kind="listing" slug={params.slug!} />;
});
