/**
 * Keys of AI of the Day.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["ai_of_the_day", UTC day] | `DayResult` of that day's check-ins | `closeDay`; deleted when one of them is hidden, or comes late |
 * | ["theme_control"] | `ThemeControl` | operator commands |
 */
export const aiOfTheDayKeys = {
  results: ["ai_of_the_day"],
  result: (day: string) => ["ai_of_the_day", day],
  control: ["theme_control"],
} as const;
