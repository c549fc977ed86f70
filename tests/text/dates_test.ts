import { assertEquals } from "@std/assert";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { formatAge } from "@/lib/text/dates.ts";

Deno.test("formatAge counts minutes, hours and days, and names the day of what is older than a month", () => {
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
      [30 * DAY_MS, "2 Feb 2026"],
    ] as const
  ) assertEquals(formatAge(now - age, now), text);
});
