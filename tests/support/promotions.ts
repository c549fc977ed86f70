import { assert, assertEquals } from "@std/assert";
import { type PromotionBalance, spans } from "@/lib/promotions/time.ts";
import { addressOf } from "./listings.ts";
import type { PaidApp } from "./payments.ts";

let buyer = 0;

/**
 * Orders a promotion from a new address, pays and delivers every event. Returns the session's id.
 */
export async function buy(
  app: PaidApp,
  slug: string,
  tierId: string,
  autoRenew = false,
): Promise<string> {
  const json = { slug, tierId, autoRenew };
  const { status, body } = await app.json("/api/v1/promote", { json, address: addressOf(++buyer) });
  assertEquals(status, 200, JSON.stringify(body));
  const session = app.sessionOf(body.checkoutUrl);
  assert(app.stripe.pay(session));
  await app.deliverAll();
  return session;
}

/** When all of a promotion's time is used up (ms); `asOf` if none is left. */
export function endOf(balance: PromotionBalance): number {
  return spans(balance).at(-1)?.endsAt ?? balance.asOf;
}
