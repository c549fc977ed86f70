import { page } from "fresh";
import { type ReportData, ReportPage } from "@/components/ReportPage.tsx";
import { define } from "@/lib/define.ts";
import { readForm } from "@/lib/http/input.ts";
import { getSkill } from "@/lib/skills/service.ts";
import { reportFromForm } from "@/lib/operator/report_form.ts";
import { paths } from "@/lib/urls.ts";

const NO_STORE = { headers: { "Cache-Control": "private, no-store" } };

export const handler = define.handlers({
  async GET(ctx) {
    const { title: name } = await getSkill(ctx.state.deps, ctx.params.slug!);
    return page<ReportData>({ name, values: {}, problems: [], isSent: false }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    const { title: name } = await getSkill(deps, slug);
    const form = await readForm(ctx.req);
    const result = await reportFromForm(deps, { kind: "skill", slug, form, caller });
    if (result.ok) {
      return page<ReportData>({ name, values: {}, problems: [], isSent: true }, NO_STORE);
    }
    const { status, problems } = result;
    return page<ReportData>({ name, values: form, problems, isSent: false }, {
      ...NO_STORE,
      status,
    });
  },
});

export default define.page<typeof handler>(function ReportSkill({ data, state, params }) {
  const slug = params.slug!;
  return (
    <ReportPage
      {...data}
      page={paths.skill(slug)}
      action={paths.skillReport(slug)}
      urls={state.deps.urls}
    />
  );
});
