import { define } from "@/lib/app/define.ts";
import { readJson } from "@/lib/http/body.ts";
import { parseInput } from "@/lib/http/input.ts";
import { json } from "@/lib/http/respond.ts";
import { fileReport, ReportInput } from "@/lib/operator/reports.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const input = parseInput(ReportInput, await readJson(ctx.req));
    return json({ ok: true, report: await fileReport(deps, { input, caller }) }, {
      status: 201,
    });
  },
});
