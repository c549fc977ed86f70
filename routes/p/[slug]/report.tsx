import { ReportPage } from "@/components/ReportPage.tsx";
import { define } from "@/lib/app/define.ts";
import { getListing } from "@/lib/listings/service.ts";
import { reportHandlers } from "@/lib/operator/report_handlers.ts";

export const handler = reportHandlers(
  "listing",
  async (deps, slug) => (await getListing(deps, slug)).name,
);

export default define.page<typeof handler>(function ReportListing({ data, state, params }) {
  const entry = { kind: "listing", slug: params.slug! } as const;
  return <ReportPage {...data} deps={state.deps} entry={entry} />;
});
