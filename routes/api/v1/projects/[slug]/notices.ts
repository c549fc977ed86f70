import { define } from "@/lib/app/define.ts";
import { ownerRequest } from "@/lib/entries/edit_key.ts";
import { json } from "@/lib/http/respond.ts";
import { readNoticeSettings } from "@/lib/notices/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const settings = await readNoticeSettings(ctx.state.deps, ownerRequest(ctx));
    return json({ ok: true, ...settings });
  },
});
