import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  auctionDates,
  closeAfterBid,
  comingPeriods,
  minNextBidCents,
  nextOpening,
  statusAt,
  UPCOMING_SHOWN,
} from "@/lib/auctions/calendar.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";

const at = (iso: string) => Date.parse(iso);
const NOW = at("2026-11-18T12:00:00Z"); // a Wednesday
const DATES = auctionDates("front-row-2026-11-23", NOW)!;

Deno.test("auctionDates opens 6 days and closes 24 hours before the period", () => {
  assertEquals(DATES, {
    id: "front-row-2026-11-23",
    opensAt: at("2026-11-17T00:00:00Z"),
    scheduledCloseAt: at("2026-11-22T00:00:00Z"),
    latestCloseAt: at("2026-11-22T23:00:00Z"),
    startsAt: at("2026-11-23T00:00:00Z"),
    endsAt: at("2026-11-30T00:00:00Z"),
  });
});

Deno.test("auctionDates accepts only exact ids of announced Mondays", () => {
  for (
    const [id, known] of [
      ["front-row-2026-11-23", true],
      ["front-row-2026-11-16", true],
      ["front-row-2026-01-05", true],
      ["front-row-2025-12-29", false],
      ["front-row-2026-11-24", false],
      ["front-row-2026-02-30", false],
      ["front-row-2026-13-02", false],
      ["front-row-2026-11-3", false],
      ["front-row-2026-12-21", true],
      ["front-row-2026-12-28", false],
      ["FRONT-ROW-2026-11-23", false],
      ["front-row-2026-11-23 ", false],
      ["front-row-9999-99-99", false],
      ["", false],
    ] as const
  ) assertEquals(auctionDates(id, NOW) !== null, known, id);
});

Deno.test("every announced period can be looked up by its id", () => {
  for (const dates of comingPeriods(NOW, UPCOMING_SHOWN + 1)) {
    assertEquals(auctionDates(dates.id, NOW), dates);
    assertEquals(new Date(dates.startsAt).getUTCDay(), 1);
  }
});

Deno.test("statusAt changes at the opening and at the close, to the millisecond", () => {
  const close = DATES.scheduledCloseAt;
  assertEquals(statusAt(DATES, close, DATES.opensAt - 1), "upcoming");
  assertEquals(statusAt(DATES, close, DATES.opensAt), "open");
  assertEquals(statusAt(DATES, close, close - 1), "open");
  assertEquals(statusAt(DATES, close, close), "past");
  assertEquals(statusAt(DATES, close + 10 * MINUTE_MS, close), "open");
});

Deno.test("without extensions, one auction is open from Tuesday to Saturday and none on other days", () => {
  for (let hour = 0; hour < 5 * 7 * 24; hour++) {
    const now = at("2026-11-02T00:00:00Z") + hour * HOUR_MS;
    const open = comingPeriods(now, 3).filter((d) =>
      statusAt(d, d.scheduledCloseAt, now) === "open"
    );
    const weekday = new Date(now).getUTCDay();
    assertEquals(open.length, weekday === 0 || weekday === 1 ? 0 : 1);
  }
});

Deno.test("nextOpening is the next Tuesday 00:00, strictly later", () => {
  for (
    const [now, opens] of [
      ["2026-11-16T23:59:59.999Z", "2026-11-17T00:00:00Z"],
      ["2026-11-17T00:00:00Z", "2026-11-24T00:00:00Z"],
      ["2026-11-22T05:00:00Z", "2026-11-24T00:00:00Z"],
      ["2026-11-23T00:00:00Z", "2026-11-24T00:00:00Z"],
    ] as const
  ) assertEquals(nextOpening(at(now)).opensAt, at(opens), now);
});

Deno.test("invariant 27: closeAfterBid adds exactly ten minutes in the last ten, never past the cap", () => {
  const close = DATES.scheduledCloseAt;
  assertEquals(closeAfterBid(DATES, close, close - 10 * MINUTE_MS - 1), close);
  assertEquals(closeAfterBid(DATES, close, close - 10 * MINUTE_MS), close + 10 * MINUTE_MS);
  assertEquals(closeAfterBid(DATES, close, close - 1), close + 10 * MINUTE_MS);
  const nearCap = DATES.latestCloseAt - 3 * MINUTE_MS;
  assertEquals(closeAfterBid(DATES, nearCap, nearCap - 1), DATES.latestCloseAt);
  assertEquals(
    closeAfterBid(DATES, DATES.latestCloseAt, DATES.latestCloseAt - 1),
    DATES.latestCloseAt,
  );
});

Deno.test("200 snipes in a row end at the cap, one hour before the period", () => {
  let close = DATES.scheduledCloseAt;
  for (let i = 0; i < 200; i++) {
    const next = closeAfterBid(DATES, close, close - 1);
    assert(next >= close && next <= DATES.startsAt - HOUR_MS);
    close = next;
  }
  assertEquals(close, DATES.latestCloseAt);
  assert(close - DATES.opensAt < 7 * DAY_MS, "a hold must not outlive the usual seven days");
});

Deno.test("minNextBidCents adds $1 or 5% rounded up, whichever is greater", () => {
  for (
    const [high, min] of [
      [null, 1000],
      [1000, 1100],
      [1999, 2099],
      [2000, 2100],
      [2001, 2102],
      [2020, 2121],
      [2021, 2123],
      [97_099_969, 101_954_968],
    ] as const
  ) assertEquals(minNextBidCents(high), min);
});

Deno.test("minNextBidCents rounds up in exact arithmetic for every high bid", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 97_099_969 }), (high) => {
      const fivePercentUp = (BigInt(high) * 5n + 99n) / 100n;
      const step = fivePercentUp > 100n ? fivePercentUp : 100n;
      assertEquals(BigInt(minNextBidCents(high)), BigInt(high) + step);
    }),
    { numRuns: 5_000 },
  );
});
