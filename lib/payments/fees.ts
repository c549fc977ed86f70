/**
 * The processing fee, in exact integer arithmetic.
 *
 * Stripe keeps 2.9% of a charge plus 30 cents. A buyer pays the smallest total that leaves us the
 * full price: the smallest integer with `total - 0.029 * total - 30 >= amount`, which is
 * `ceil((amount + 30) * 1000 / 971)`.
 */

import { formatCount } from "../text/count.ts";

/** Currency of every amount in this service, as Stripe writes it. */
export const CURRENCY = "usd" as const;

/** The largest amount in cents: its total, 99,999,999 cents, is Stripe's largest charge. */
export const MAX_AMOUNT_CENTS = 97_099_969;

/** What a buyer of `amountCents` pays, all in integer cents. */
export interface Charge {
  amountCents: number;
  feeCents: number;
  totalCents: number;
}

/** True for a whole number of cents from 1 to the cap. */
export function isChargeable(amountCents: number): boolean {
  return Number.isInteger(amountCents) && amountCents >= 1 && amountCents <= MAX_AMOUNT_CENTS;
}

/**
 * Price, fee and total of an amount in cents.
 * @throws {RangeError} if the amount is not {@link isChargeable}; checked before any arithmetic, so
 * no product exceeds the exact range of a number.
 */
export function charge(amountCents: number): Charge {
  if (!isChargeable(amountCents)) {
    throw new RangeError(
      `Amount ${amountCents} is not a whole number from 1 to ${MAX_AMOUNT_CENTS}`,
    );
  }
  const thousandths = (amountCents + 30) * 1000;
  const rest = thousandths % 971;
  const totalCents = (thousandths - rest) / 971 + (rest === 0 ? 0 : 1);
  return { amountCents, feeCents: totalCents - amountCents, totalCents };
}

/** Integer cents as a dollar string: `2606` becomes `$26.06`, `100000` becomes `$1,000.00`. */
export function dollars(cents: number): string {
  return `$${formatCount(Math.floor(cents / 100))}.${(cents % 100).toString().padStart(2, "0")}`;
}
