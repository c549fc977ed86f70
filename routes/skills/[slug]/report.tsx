import { ReportPage } from "@/components/ReportPage.tsx";
import { define } from "@/lib/app/define.ts";
import { reportHandlers } from "@/lib/operator/report_handlers.ts";

export const handler = reportHandlers("skill");

export default define.page<typeof handler>(function ReportSkill({ data, state, params }) {
  const entry = { kind: "skill", slug: params.slug! } as const;
  return <ReportPage {...data} deps={state.deps} entry={entry} />;
});
