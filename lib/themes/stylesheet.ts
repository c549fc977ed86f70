import { wcagLuminance } from "culori";
import { accents } from "../catalog/accents.ts";
import { type Palette, siteThemes } from "../catalog/themes.ts";
import { tools } from "../catalog/tools.ts";

/** The class of a listing's accent color. */
export function accentClass(accentName: string): string {
  return `a-${accentName.toLowerCase()}`;
}

/** The class of a tool's mark. */
export function toolClass(slug: string): string {
  return `t-${slug}`;
}

/** The palette of a theme, with the AI of the Day's for `daily`, if there is one. */
export function shownPalette(
  { id, palette }: (typeof siteThemes)[number],
  daily: Palette | null,
): Palette {
  return id === "daily" && daily !== null ? daily : palette;
}

/**
 * The CSS rules generated from the catalogs: the colors of every theme, accent and tool. `daily` is
 * the AI of the Day's palette; while there is none, that theme follows the visitor's system.
 */
export function themeStylesheet(options: { daily: Palette | null; font: string }): string {
  const { daily, font } = options;
  const rules = [
    `@font-face{font-family:Newsreader;font-weight:500;font-display:swap;src:url(${font}) format("woff2")}`,
  ];
  for (const theme of siteThemes) {
    const { id } = theme;
    const selector = id === "daily" ? `:root,[data-theme="daily"]` : `[data-theme="${id}"]`;
    rules.push(`${selector}{${variables(shownPalette(theme, daily))}}`);
  }
  if (daily === null) {
    const dark = siteThemes.find((theme) => theme.id === "tide")!.palette;
    rules.push(
      `@media(prefers-color-scheme:dark){[data-theme="daily"]{${variables(dark)}}}`,
    );
  }
  for (const { name, hex } of accents) {
    rules.push(`.${accentClass(name)}{--tint:${hex};--tint-ink:${inkOn(hex)}}`);
  }
  for (const { slug, color } of tools) {
    rules.push(`.${toolClass(slug)}{--tool:${color};--tool-ink:${inkOn(color)}}`);
  }
  return rules.join("\n") + "\n";
}

function variables(palette: Palette): string {
  const colors = Object.entries(palette).map(([name, hex]) => `--${cssName(name)}:${hex}`);
  return `${colors.join(";")};color-scheme:${isDark(palette) ? "dark" : "light"}`;
}

/** `inkDim` becomes `ink-dim`. */
function cssName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** True if a palette's background is dark. */
export function isDark(palette: Palette): boolean {
  return wcagLuminance(palette.bg) < 0.18;
}

/** Black or white, whichever is more readable on a color. The contrast is always at least 4.5:1. */
function inkOn(hex: string): string {
  return wcagLuminance(hex) > 0.179 ? "#000" : "#fff";
}
