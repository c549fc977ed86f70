import { ReportPage } from "@/components/ReportPage.tsx";
import { define } from "@/lib/app/define.ts";
import { reportHandlers } from "@/lib/operator/report_handlers.ts";
import { getSkill } from "@/lib/skills/service.ts";
import { paths } from "@/lib/urls.ts";

export const handler = reportHandlers(
  "skill",
  async (deps, slug) => (await getSkill(deps, slug)).title,
);

export default define.page<typeof handler>(function ReportSkill({ data, state, params }) {
  const slug = params.slug!;
  return (
    <ReportPage
      {...data}
      page={paths.skill(slug)}
      action={paths.skillReport(slug)}
      deps={state.deps}
      entry={{ kind: "skill", slug }}
    />
  );
});
