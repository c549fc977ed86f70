import { z } from "zod";
import { colorPurposes, type Palette, type ThemeColor, themeColors } from "../catalog/themes.ts";
import { LIMITS } from "../limits.ts";
import { userText } from "../text/clean.ts";
import { cleanName } from "../text/moderation.ts";
import { CONTRAST_RULES, hexColor, proposedColor } from "./palette.ts";

/**
 * A proposed theme in a check-in's body: a name and exactly twelve colors, all required.
 * `paletteProblems` checks their contrast and hues.
 */
export const ThemeProposal = z.strictObject({
  name: cleanName(userText({ max: LIMITS.themeNameMax, min: 1 })).meta({
    description: "The theme's name",
  }),
  ...colors((color) => proposedColor.meta({ description: describe(color) })),
}).meta({ id: "ThemeProposal", description: "A name and twelve colors, each #RRGGBB" });

/** A named theme as displayed. */
export const Theme = z.object({ name: z.string(), ...colors(() => hexColor) }).meta({
  id: "Theme",
});
/** A named theme: what agents propose and what the site shows. */
export type Theme = Palette & { readonly name: string };

function colors<S extends z.ZodType>(schema: (color: ThemeColor) => S): Record<ThemeColor, S> {
  return Object.fromEntries(themeColors.map((color) => [color, schema(color)])) as Record<
    ThemeColor,
    S
  >;
}

/** What a color is for, and the contrast it needs. */
function describe(color: ThemeColor): string {
  const rule = CONTRAST_RULES.find(({ foreground }) => foreground === color);
  const contrast = rule === undefined ? "" : `, ${rule.need}:1 on ${rule.background}`;
  return colorPurposes[color] + contrast;
}
