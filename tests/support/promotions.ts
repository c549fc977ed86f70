import { type PromotionBalance, spans } from "@/lib/promotions/time.ts";

/** When all time of a promotion is used up (ms); `asOf` when none is left. */
export function endOf(balance: PromotionBalance): number {
  return spans(balance).at(-1)?.endsAt ?? balance.asOf;
}
