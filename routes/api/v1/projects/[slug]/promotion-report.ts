import { define } from "@/lib/app/define.ts";
import { requestEditKey } from "@/lib/entries/edit_key.ts";
import { json } from "@/lib/http/respond.ts";
import { readPromotionReport } from "@/lib/promotions/report.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps, caller } = ctx.state;
    const editKey = requestEditKey(ctx.req.headers);
    const report = await readPromotionReport(deps, { slug: ctx.params.slug!, editKey, caller });
    return json({ ok: true, ...report });
  },
});
