import { define } from "@/lib/app/define.ts";
import { readJson } from "@/lib/http/body.ts";
import { readIdempotencyKey } from "@/lib/http/idempotency.ts";
import { parseBody } from "@/lib/http/input.ts";
import { cachedJson, json } from "@/lib/http/respond.ts";
import { getPromotionOffer } from "@/lib/promotions/offer.ts";
import { orderPromotion } from "@/lib/promotions/orders.ts";
import { PromoteInput } from "@/lib/promotions/schema.ts";

export const handler = define.handlers({
  GET: async (ctx) => cachedJson(ctx, { ok: true, ...await getPromotionOffer(ctx.state.deps) }),

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const body = await readJson(ctx.req);
    const { idempotencyKey, problems } = readIdempotencyKey(ctx.req.headers);
    const { input, ignoredFields } = parseBody(PromoteInput, body, problems);
    const { checkoutUrl } = await orderPromotion(deps, { input, caller, idempotencyKey });
    return json({ ok: true, checkoutUrl, ignoredFields });
  },
});
