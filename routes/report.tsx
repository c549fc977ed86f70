import { ReportPage } from "@/components/ReportPage.tsx";
import { define } from "@/lib/app/define.ts";
import { reportHandlers } from "@/lib/operator/report_handlers.ts";

export const handler = reportHandlers("site");

export default define.page<typeof handler>(function ReportSomething({ data, state }) {
  return <ReportPage {...data} deps={state.deps} />;
});
