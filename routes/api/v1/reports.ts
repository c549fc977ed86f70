import { define } from "@/lib/app/define.ts";
import { readJson } from "@/lib/http/body.ts";
import { parseInput, unknownNames } from "@/lib/http/input.ts";
import { json } from "@/lib/http/respond.ts";
import { fileReport, ReportInput } from "@/lib/operator/reports.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const body = await readJson(ctx.req);
    const input = parseInput(ReportInput, body);
    const report = await fileReport(deps, { input, caller });
    const ignoredFields = unknownNames(ReportInput, body);
    return json({ ok: true, report, ignoredFields }, { status: 201 });
  },
});
