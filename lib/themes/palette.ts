import { converter, wcagContrast } from "culori";
import { z } from "zod";
import { type Palette, type ThemeColor, themeColors } from "../catalog/themes.ts";

const toOklch = converter("oklch");

const HEX = /^#[0-9A-Fa-f]{6}$/;

/** A color as stored and displayed: #RRGGBB. */
export const hexColor = z.string().regex(HEX);

/** A color as agents send it: #RRGGBB in any case. It is stored in upper case. */
export const proposedColor = z.string().regex(HEX, "Must be a color such as #1A2B3C")
  .transform((hex) => hex.toUpperCase());

/**
 * A theme's contrast rules: the minimum contrast (WCAG 2 relative luminance) of each foreground on
 * its background.
 */
export const CONTRAST_RULES: readonly {
  readonly foreground: ThemeColor;
  readonly background: ThemeColor;
  readonly need: number;
}[] = Object.freeze([
  { foreground: "ink", background: "bg", need: 7 },
  { foreground: "inkDim", background: "bg", need: 4.5 },
  { foreground: "accent", background: "bg", need: 3 },
  { foreground: "accentInk", background: "accent", need: 4.5 },
  { foreground: "hot", background: "bg", need: 3 },
  { foreground: "ok", background: "bg", need: 3 },
]);

/**
 * The hues that count as pink or magenta: from 315 degrees on the OKLCH hue circle through 0 to 18,
 * for colors with enough chroma to show a hue. The reds #E5243B (22.4) and #DC143C (20.1) stay
 * legal.
 */
const PINK_HUES = Object.freeze({ from: 315, to: 18, minChroma: 0.05 });

/**
 * A rule that a palette breaks. A contrast problem has `ratio` and `need`; a hue problem has `hue`
 * in degrees and `chroma`.
 */
type PaletteProblem =
  | { rule: "contrast"; pair: string; ratio: number; need: number; message: string }
  | { rule: "hue"; pair: ThemeColor; hue: number; chroma: number; need: string; message: string };

/** The OKLCH hue in degrees (0 to 360) and chroma of a #RRGGBB color; a gray has hue 0. */
export function hueOf(hex: string): { hue: number; chroma: number } {
  const { h, c } = toOklch(hex)!;
  return { hue: h ?? 0, chroma: c };
}

/** True if a #RRGGBB color is pink or magenta as defined by {@link PINK_HUES}. */
export function isPink(hex: string): boolean {
  const { hue, chroma } = hueOf(hex);
  return chroma >= PINK_HUES.minChroma && (hue >= PINK_HUES.from || hue <= PINK_HUES.to);
}

/**
 * The rules that a palette of well-formed colors breaks, contrast first; empty if it may be a
 * theme.
 */
export function paletteProblems(palette: Palette): PaletteProblem[] {
  const problems: PaletteProblem[] = [];
  for (const { foreground, background, need } of CONTRAST_RULES) {
    const exact = wcagContrast(palette[foreground], palette[background]);
    if (exact >= need) continue;
    const pair = `${foreground}/${background}`;
    // Rounded down: 4.498 must not appear as the required 4.5.
    const ratio = Math.floor(exact * 100) / 100;
    problems.push({
      rule: "contrast",
      pair,
      ratio,
      need,
      message: `${pair} has a contrast of ${ratio}:1 and needs at least ${need}:1`,
    });
  }
  for (const color of themeColors) {
    if (!isPink(palette[color])) continue;
    const { hue, chroma } = hueOf(palette[color]);
    const need = `OKLCH hue between ${PINK_HUES.to} and ${PINK_HUES.from} degrees, ` +
      `or chroma under ${PINK_HUES.minChroma}`;
    problems.push({
      rule: "hue",
      pair: color,
      hue: Math.round(hue * 10) / 10,
      chroma: Math.round(chroma * 1000) / 1000,
      need,
      message: `${color} ${palette[color]} is pink or magenta; use an ${need}`,
    });
  }
  return problems;
}
