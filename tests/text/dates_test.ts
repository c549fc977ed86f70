import { assertEquals } from "@std/assert";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { formatAge, formatLongSpan, formatSpan, formatTime } from "@/lib/text/dates.ts";

Deno.test("formatAge counts minutes, hours and days, and shows the date after 30 days", () => {
  const now = Date.parse("2026-03-04T12:00:00Z");
  for (
    const [age, text] of [
      [-5_000, "just now"],
      [MINUTE_MS - 1, "just now"],
      [MINUTE_MS, "1 minute ago"],
      [HOUR_MS - 1, "59 minutes ago"],
      [HOUR_MS, "1 hour ago"],
      [DAY_MS - 1, "23 hours ago"],
      [2 * DAY_MS, "2 days ago"],
      [30 * DAY_MS - 1, "29 days ago"],
      [30 * DAY_MS, "Feb 2, 2026"],
    ] as const
  ) assertEquals(formatAge(now - age, now), text);
});

Deno.test("dates and spans are in American format, and a span ends on its last day", () => {
  const spanOf = (format: typeof formatSpan, from: string, to: string) =>
    format(`${from}T00:00:00Z`, `${to}T00:00:00Z`);
  assertEquals(formatTime("2026-03-04T12:05:00Z"), "Mar 4, 2026 at 12:05 UTC");
  assertEquals(spanOf(formatSpan, "2026-03-04", "2026-03-05"), "Mar 4, 2026");
  assertEquals(spanOf(formatSpan, "2026-11-23", "2026-11-30"), "Nov 23 to 29, 2026");
  assertEquals(spanOf(formatSpan, "2026-11-30", "2026-12-07"), "Nov 30 to Dec 6, 2026");
  assertEquals(
    spanOf(formatLongSpan, "2026-12-28", "2027-01-04"),
    "December 28, 2026 to January 3, 2027",
  );
});
