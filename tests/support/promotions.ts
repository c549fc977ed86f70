import { type PromotionBalance, spans } from "@/lib/promotions/time.ts";

/** When all of a promotion's time is used up (ms); `asOf` if none is left. */
export function endOf(balance: PromotionBalance): number {
  return spans(balance).at(-1)?.endsAt ?? balance.asOf;
}
