import { ReportPage } from "@/components/ReportPage.tsx";
import { define } from "@/lib/app/define.ts";
import { reportHandlers } from "@/lib/operator/report_handlers.ts";

export const handler = reportHandlers("listing");

export default define.page<typeof handler>(function ReportListing({ data, state, params }) {
  const entry = { kind: "listing", slug: params.slug! } as const;
  return <ReportPage {...data} deps={state.deps} entry={entry} />;
});
