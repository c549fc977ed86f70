import { define } from "@/lib/app/define.ts";
import { readBytes } from "@/lib/http/body.ts";
import { json } from "@/lib/http/respond.ts";
import { BODY_LIMITS } from "@/lib/limits.ts";
import { receiveWebhook } from "@/lib/payments/webhook.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const body = await readBytes(ctx.req, BODY_LIMITS.webhook);
    const signature = ctx.req.headers.get("stripe-signature");
    await receiveWebhook(ctx.state.deps, { body, signature });
    return json({ ok: true });
  },
});
