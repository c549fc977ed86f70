import { formatHex, interpolate, wcagContrast } from "culori";
import type { Palette, ThemeColor } from "../catalog/themes.ts";
import { isPink } from "./palette.ts";

/** The contrast that WCAG 2.2 AA requires for text of regular size. */
const TEXT_CONTRAST = 4.5;
/**
 * The contrast that lines need to be visible; the curated themes have a little more. Strong lines
 * underline links and outline buttons.
 */
const LINE_CONTRAST = { line: 1.1, lineStrong: 1.8 } as const;
const STEPS = 20;

/**
 * The palette that pages actually use. Proposals are checked only against `bg`, and `accent`, `hot`
 * and `ok` need only 3:1, but pages also put text on `bg2` and `bg3`, and use those colors for
 * links. So unreadable colors are adjusted: a background becomes `bg`, and a text color moves step
 * by step toward the ink. So do invisible lines. A palette that is readable everywhere stays as it
 * is.
 */
export function readablePalette(palette: Palette): Palette {
  const shown: Record<ThemeColor, string> = { ...palette };
  for (const ground of ["bg2", "bg3"] as const) {
    const isReadable = (["ink", "inkDim"] as const)
      .every((text) => wcagContrast(palette[text], palette[ground]) >= TEXT_CONTRAST);
    if (!isReadable) shown[ground] = palette.bg;
  }
  const grounds = [shown.bg, shown.bg2, shown.bg3];
  const stands = (color: string, contrast: number) =>
    grounds.every((ground) => wcagContrast(color, ground) >= contrast);
  const reads = (color: string) => stands(color, TEXT_CONTRAST);
  if (!reads(shown.inkFaint)) shown.inkFaint = shown.inkDim;
  for (const color of ["accent", "hot", "ok"] as const) {
    shown[color] = toward(palette[color], palette.ink, reads);
  }
  for (const color of ["line", "lineStrong"] as const) {
    const isSeen = (mixed: string) => stands(mixed, LINE_CONTRAST[color]);
    shown[color] = toward(palette[color], palette.ink, isSeen);
  }
  if (wcagContrast(shown.accentInk, shown.accent) < TEXT_CONTRAST) shown.accentInk = shown.bg;
  return shown;
}

/**
 * The first color on the way from one to the other (in OKLab) that passes and isn't pink. If there
 * is none, the other.
 */
function toward(from: string, to: string, passes: (color: string) => boolean): string {
  const mix = interpolate([from, to], "oklab");
  for (let step = 0; step < STEPS; step++) {
    const color = formatHex(mix(step / STEPS)).toUpperCase();
    if (passes(color) && !isPink(color)) return color;
  }
  return to;
}
