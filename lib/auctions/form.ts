import { type FormValues, slugOf, textOf } from "../http/forms.ts";
import { paths, withQuery } from "../urls.ts";
import type { BidCheckout } from "./schema.ts";

/**
 * A posted bid form as the body of a bid. The field `amount` is in dollars, so it is not called
 * `amountCents`. Text that is not an amount stays as it is, and the amount rules refuse it.
 */
export function bidFromForm(
  form: FormValues,
): { slug: string | undefined; amountCents: unknown } {
  const typed = textOf(form, "amount")?.trim();
  return { slug: slugOf(form), amountCents: typed ? toCents(typed) ?? typed : undefined };
}

/**
 * `$1,500.5`, `$ 1500.50` and `1500` as cents, exact up to the highest bid; null for other text.
 */
export function toCents(typed: string): number | null {
  const match = /^(?:\$\s*)?(\d{1,3}(?:,\d{3})*|\d+)(?:\.(\d{1,2}))?$/.exec(typed);
  if (match === null) return null;
  return Number(match[1]!.replaceAll(",", "")) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** The path of the bid form, filled in with a project and an amount. */
export function bidFormPath(
  { auctionId, slug, amountCents }: Pick<BidCheckout, "auctionId" | "slug" | "amountCents">,
): string {
  const amount = (amountCents / 100).toFixed(2);
  return withQuery(paths.auction(auctionId), { slug, amount }) + "#bid";
}
