import { define } from "@/lib/app/define.ts";
import { readJson } from "@/lib/http/body.ts";
import { parseBody } from "@/lib/http/input.ts";
import { json } from "@/lib/http/respond.ts";
import { fileReport, ReportInput } from "@/lib/operator/reports.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const { input, ignoredFields } = parseBody(ReportInput, await readJson(ctx.req));
    const report = await fileReport(deps, { input, caller });
    return json({ ok: true, report, ignoredFields }, { status: 201 });
  },
});
