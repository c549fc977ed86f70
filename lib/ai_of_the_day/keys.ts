/**
 * Keys of AI of the Day; those of daily results are in `lib/guestbook/keys.ts`.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["theme_control"] | `ThemeControl` | operator commands |
 */
export const aiOfTheDayKeys = {
  control: ["theme_control"],
} as const;
