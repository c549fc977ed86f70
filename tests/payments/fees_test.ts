import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { charge, dollars, isChargeable, MAX_AMOUNT_CENTS } from "@/lib/payments/fees.ts";

/** The cents of a total that remain after Stripe's 2.9% + 30¢, times 1000, exactly. */
function leftTimes1000(total: bigint): bigint {
  return total * 1000n - total * 29n - 30_000n;
}

function assertSmallestTotal(amountCents: number) {
  const { feeCents, totalCents } = charge(amountCents);
  const wanted = BigInt(amountCents) * 1000n;
  const total = BigInt(totalCents);
  if (leftTimes1000(total) < wanted) throw new Error(`${amountCents}: the total is too small`);
  if (leftTimes1000(total - 1n) >= wanted) throw new Error(`${amountCents}: the total is too big`);
  assertEquals(amountCents + feeCents, totalCents);
}

Deno.test("charge returns the five published figures", () => {
  for (
    const [amount, fee, total] of [
      [500, 46, 546],
      [900, 58, 958],
      [2500, 106, 2606],
      [1000, 61, 1061],
      [97_099_969, 2_900_030, 99_999_999],
    ] as const
  ) {
    assertEquals(charge(amount), { amountCents: amount, feeCents: fee, totalCents: total });
  }
});

Deno.test("charge returns the smallest total that covers 2.9% + 30¢, on a grid from 1 to the cap", () => {
  for (let amount = 1; amount <= 20_000; amount++) assertSmallestTotal(amount);
  for (let amount = 20_001; amount <= MAX_AMOUNT_CENTS; amount += 1_009) {
    assertSmallestTotal(amount);
  }
  for (let amount = MAX_AMOUNT_CENTS - 5_000; amount <= MAX_AMOUNT_CENTS; amount++) {
    assertSmallestTotal(amount);
  }
});

Deno.test("charge returns the smallest total for random amounts", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }), assertSmallestTotal),
    { numRuns: 10_000 },
  );
});

Deno.test("charge rejects anything but a whole number from 1 to the cap", () => {
  for (
    const bad of [0, -1, 10.5, MAX_AMOUNT_CENTS + 1, 1e21, NaN, Infinity, Number.MAX_SAFE_INTEGER]
  ) {
    assertEquals(isChargeable(bad), false);
    assertThrows(() => charge(bad), RangeError);
  }
});

Deno.test("dollars formats cents with two decimals and thousands separators", () => {
  assertEquals(dollars(0), "$0.00");
  assertEquals(dollars(5), "$0.05");
  assertEquals(dollars(546), "$5.46");
  assertEquals(dollars(99_999_999), "$999,999.99");
});
