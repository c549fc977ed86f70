import { z } from "zod";
import { type FamilyId, familyId } from "../catalog/ai_families.ts";
import { siteThemeId } from "../catalog/themes.ts";
import { Theme } from "../themes/theme.ts";

/**
 * What an operator can show instead of the winner's theme: a family's curated theme, or a site
 * theme.
 */
export const themeOverride = z.enum([
  ...familyId.options,
  ...siteThemeId.exclude(["daily"]).options,
]);
export type ThemeOverride = z.infer<typeof themeOverride>;

/** The operator's switch and override in KV. */
export interface ThemeControl {
  enabled: boolean;
  override: ThemeOverride | null;
}

/** A family in a day's race. */
export const FamilyStanding = z.object({
  family: familyId,
  name: z.string(),
  checkIns: z.int().min(1).describe("Distinct check-ins that day"),
  detectedHits: z.int().min(0).describe("Requests from the family's known user agents that day"),
}).meta({ id: "FamilyStanding" });
export type FamilyStanding = z.infer<typeof FamilyStanding>;

/** The result of a day's check-ins, stored once the day is over. */
export interface DayResult {
  winner: { family: FamilyId; checkIns: number; detectedHits: number } | null;
  /** The winner's theme proposal and its author; null if the family's curated theme is shown. */
  proposal: { theme: Theme; agentName: string } | null;
}

/** Where a theme comes from. */
const themeSource = z.enum(["proposal", "curated", "override"]);
export type ThemeSource = z.infer<typeof themeSource>;

/** The body of `GET /api/v1/ai-of-the-day`. */
export const AiOfTheDayView = z.object({
  ok: z.literal(true),
  today: z.object({
    day: z.iso.date(),
    basedOn: z.iso.date().describe("The UTC day whose check-ins decided it"),
    enabled: z.boolean().describe("False while daily themes are switched off"),
    override: themeOverride.nullable(),
    winner: FamilyStanding.nullable().describe("Null if nobody signed that day"),
    theme: Theme.nullable().describe(
      "The site's theme today. Null if themes are off or nobody won",
    ),
    themeSource: themeSource.nullable(),
    proposedBy: z.string().nullable(),
  }),
  race: z.object({
    day: z.iso.date(),
    standings: z.array(FamilyStanding),
    note: z.string(),
  }),
  rules: z.array(z.string()),
  generatedAt: z.iso.datetime(),
}).meta({ id: "AiOfTheDay" });
export type AiOfTheDayView = Omit<z.infer<typeof AiOfTheDayView>, "ok">;
