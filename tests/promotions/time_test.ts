import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { findTier, TIERS } from "@/lib/catalog/tiers.ts";
import { DAY_MS, HOUR_MS } from "@/lib/clock.ts";
import { addTime, balanceAt, spans } from "@/lib/promotions/time.ts";
import { endOf } from "../support/promotions.ts";

const T0 = Date.parse("2026-11-20T12:00:00Z");
const buy = (tierId: (typeof TIERS)[number]["id"]) => ({ tierId, days: findTier(tierId)!.days });

Deno.test("a first purchase starts now and lasts its days", () => {
  const balance = addTime(null, buy("bump-3"), T0);
  assertEquals(spans(balance), [
    { tierId: "bump-3", startsAt: T0, endsAt: T0 + 3 * DAY_MS },
  ]);
  assertEquals(spans(balanceAt(balance, T0 + 3 * DAY_MS)), []);
});

Deno.test("invariant 21: buying again while promoted extends the end; after the end it starts anew", () => {
  const once = addTime(null, buy("boost-7"), T0);
  assertEquals(endOf(addTime(once, buy("boost-7"), T0 + DAY_MS)), T0 + 14 * DAY_MS);
  assertEquals(endOf(addTime(once, buy("boost-7"), T0 + 9 * DAY_MS)), T0 + 16 * DAY_MS);
});

Deno.test("the highest tier runs first, and the others' time is kept", () => {
  const bump = addTime(null, buy("bump-3"), T0);
  const both = addTime(bump, buy("spotlight-30"), T0 + DAY_MS);
  assertEquals(spans(both), [
    { tierId: "spotlight-30", startsAt: T0 + DAY_MS, endsAt: T0 + 31 * DAY_MS },
    { tierId: "bump-3", startsAt: T0 + 31 * DAY_MS, endsAt: T0 + 33 * DAY_MS },
  ]);
});

Deno.test("a renewal lasts at least to the end of the period that it pays for", () => {
  const month31 = { ...buy("spotlight-30"), periodEnd: T0 + 31 * DAY_MS };
  assertEquals(endOf(addTime(null, month31, T0)), T0 + 31 * DAY_MS);
  const month28 = { ...buy("spotlight-30"), periodEnd: T0 + 28 * DAY_MS };
  assertEquals(endOf(addTime(null, month28, T0)), T0 + 30 * DAY_MS);
});

Deno.test("a renewal that waits for a higher tier adds only its days if they end after the period anyway", () => {
  const balance = { asOf: T0, left: { "spotlight-30": 3 * DAY_MS } };
  const week = { ...buy("boost-7"), periodEnd: T0 + 7 * DAY_MS };
  assertEquals(addTime(balance, week, T0).left["boost-7"], 7 * DAY_MS);
  const late = { ...week, periodEnd: T0 + 11 * DAY_MS };
  assertEquals(addTime(balance, late, T0).left["boost-7"], 8 * DAY_MS);
});

Deno.test("a clock set back doesn't lengthen a promotion", () => {
  const balance = addTime(null, buy("bump-3"), T0);
  assertEquals(endOf(balanceAt(balance, T0 - HOUR_MS)), T0 + 3 * DAY_MS);
});

Deno.test("invariants 20 and 21: any sequence of purchases adds exactly its days and shortens nothing", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          tier: fc.constantFrom(...TIERS),
          wait: fc.integer({ min: 0, max: 20 * DAY_MS }),
        }),
        {
          minLength: 1,
          maxLength: 12,
        },
      ),
      (purchases) => {
        let now = T0;
        let balance = null as ReturnType<typeof addTime> | null;
        for (const { tier, wait } of purchases) {
          now += wait;
          const before = balance === null ? now : Math.max(now, endOf(balance));
          const tierBefore = balance === null ? 0 : balanceAt(balance, now).left[tier.id] ?? 0;
          const next = addTime(balance, { tierId: tier.id, days: tier.days }, now);
          assertEquals(endOf(next), before + tier.days * DAY_MS);
          assertEquals(next.left[tier.id], tierBefore + tier.days * DAY_MS);
          balance = next;
        }
        const all = spans(balance!);
        for (let i = 1; i < all.length; i++) assertEquals(all[i]!.startsAt, all[i - 1]!.endsAt);
      },
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("settling at any time in between doesn't change what is shown later", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 45 * DAY_MS }),
      fc.integer({ min: 0, max: 45 * DAY_MS }),
      (a, b) => {
        let balance = addTime(null, buy("bump-3"), T0);
        balance = addTime(balance, buy("spotlight-30"), T0);
        balance = addTime(balance, buy("boost-7"), T0);
        const [early, late] = a < b ? [a, b] : [b, a];
        const at = (time: number, from = balance) =>
          spans(from).find((span) => T0 + time < span.endsAt);
        const [direct, settled] = [at(late), at(late, balanceAt(balance, T0 + early))];
        assertEquals(settled?.tierId, direct?.tierId);
        assertEquals(settled?.endsAt, direct?.endsAt);
        assertEquals(direct === undefined, late >= 40 * DAY_MS);
      },
    ),
    { numRuns: 2_000 },
  );
});
