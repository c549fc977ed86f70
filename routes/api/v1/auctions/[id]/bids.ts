import { define } from "@/lib/app/define.ts";
import { placeBid } from "@/lib/auctions/bids.ts";
import { BidInput, parseBid } from "@/lib/auctions/schema.ts";
import { readJson } from "@/lib/http/body.ts";
import { readIdempotencyKey } from "@/lib/http/idempotency.ts";
import { unknownNames } from "@/lib/http/input.ts";
import { json } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const body = await readJson(ctx.req);
    const { idempotencyKey, problems } = readIdempotencyKey(ctx.req.headers);
    const input = parseBid(BidInput, body, [...caller.problems, ...problems]);
    const { checkoutUrl } = await placeBid(deps, {
      ...input,
      auctionId: ctx.params.id!,
      caller,
      idempotencyKey,
    });
    const ignoredFields = unknownNames(BidInput, body);
    return json({ ok: true, checkoutUrl, ignoredFields }, { status: 201 });
  },
});
