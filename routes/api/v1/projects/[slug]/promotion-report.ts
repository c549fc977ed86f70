import { define } from "@/lib/app/define.ts";
import { ownerRequest } from "@/lib/entries/edit_key.ts";
import { json } from "@/lib/http/respond.ts";
import { readPromotionReport } from "@/lib/promotions/report.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const report = await readPromotionReport(ctx.state.deps, ownerRequest(ctx));
    return json({ ok: true, ...report });
  },
});
