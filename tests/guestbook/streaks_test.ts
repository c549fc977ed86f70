import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  addDay,
  countDays,
  currentStreak,
  dayNumber,
  hasDay,
  latestRuns,
  longestStreak,
  removeDay,
  type Runs,
} from "@/lib/guestbook/streaks.ts";

Deno.test("dayNumber counts UTC days, including leap days", () => {
  assertEquals(dayNumber("1970-01-02"), 1);
  assertEquals(dayNumber("2028-03-01") - dayNumber("2028-02-28"), 2);
});

Deno.test("currentStreak ends once a whole day is missed", () => {
  const runs: Runs = [[10, 14]];
  const table: [today: number, days: number][] = [[14, 5], [15, 5], [16, 0], [100, 0]];
  for (const [today, days] of table) assertEquals(currentStreak(runs, today), days);
  assertEquals(currentStreak([], 14), 0);
});

Deno.test("currentStreak has no maximum", () => {
  let runs: Runs = [[3, 5], [10, 408]];
  for (let today = 409; today <= 1_009; today++) runs = latestRuns(addDay(runs, today));
  assertEquals(runs, [[3, 5], [10, 1_009]]);
  assertEquals([currentStreak(runs, 1_009), currentStreak(runs, 1_010)], [1_000, 1_000]);
  assertEquals(longestStreak(runs, 1_009), 400);
});

Deno.test("latestRuns keeps every run of the last 400 days, even next to a future day", () => {
  let runs: Runs = [];
  for (let day = 1; day <= 999; day += 2) runs = latestRuns(addDay(runs, day));
  runs = latestRuns(addDay(runs, 5_000));
  assertEquals([runs.length, runs[0], runs.at(-1)], [201, [601, 601], [5_000, 5_000]]);
  assertEquals(countDays(runs, 1_000 - 399, 1_000), 200);
});

Deno.test("longestStreak is measured within the last 400 days", () => {
  const runs: Runs = [[0, 50], [300, 310]];
  assertEquals(longestStreak(runs, 399), 51);
  assertEquals(longestStreak(runs, 400), 50);
  assertEquals(longestStreak(runs, 449), 11);
  assertEquals(longestStreak([[0, 1000]], 1000), 400);
  assertEquals(longestStreak(runs, 2000), 0);
});

Deno.test("runs match a plain set of days over random histories", () => {
  const step = fc.record({ day: fc.integer({ min: 0, max: 60 }), add: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 80, size: "max" }),
      fc.integer({ min: 0, max: 70 }),
      (steps, today) => {
        const days = new Set<number>();
        let runs: Runs = [];
        for (const { day, add } of steps) {
          if (add) days.add(day);
          else days.delete(day);
          runs = add ? addDay(runs, day) : removeDay(runs, day);
        }
        for (let day = 0; day <= 60; day++) assertEquals(hasDay(runs, day), days.has(day));
        const flat = runs.flat();
        assertEquals(flat, flat.toSorted((a, b) => a - b), "sorted");
        for (let i = 1; i < runs.length; i++) {
          assertEquals(runs[i]![0] > runs[i - 1]![1] + 1, true, "apart");
        }
        const back = (from: number) => {
          let length = 0;
          while (days.has(from - length)) length++;
          return length;
        };
        assertEquals(currentStreak(runs, today), currentPlain(days, today));
        assertEquals(
          longestStreak(runs, today),
          Math.max(0, ...[...days].filter((day) => day <= today).map(back)),
        );
        assertEquals(
          countDays(runs, today - 6, today),
          [...days].filter((day) => day > today - 7 && day <= today).length,
        );
      },
    ),
    { numRuns: 2_000 },
  );
});

/** Days in a row, counted back from today, or from yesterday when today has none. */
function currentPlain(days: Set<number>, today: number): number {
  let length = 0;
  const end = days.has(today) ? today : today - 1;
  while (days.has(end - length)) length++;
  return length;
}
