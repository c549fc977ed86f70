import { define } from "@/lib/app/define.ts";
import { placeBid } from "@/lib/auctions/bids.ts";
import { BidInput, parseBid } from "@/lib/auctions/schema.ts";
import { readJson } from "@/lib/http/body.ts";
import { idempotencyKeyOf } from "@/lib/http/idempotency.ts";
import { json } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const input = parseBid(BidInput, await readJson(ctx.req), caller.problems);
    const { checkoutUrl } = await placeBid(deps, {
      ...input,
      auctionId: ctx.params.id!,
      caller,
      idempotencyKey: idempotencyKeyOf(ctx.req.headers),
    });
    return json({ ok: true, checkoutUrl }, { status: 201 });
  },
});
