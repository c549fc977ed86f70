import { formatHex, interpolate } from "culori";
import type { Palette, ThemeColor } from "../catalog/themes.ts";
import { contrastRatio, isPink } from "./palette.ts";

/** WCAG 2.2 AA for text of ordinary size. */
const TEXT_CONTRAST = 4.5;
const STEPS = 20;

/**
 * A palette as the site's pages wear it. The rules of proposals judge colours against `bg` alone, and let
 * `accent`, `hot` and `ok` through at 3:1; the pages also set text on `bg2` and `bg3`, and links in those colours. What could
 * not be read there gives way: a second background to the first, a text colour step by step to the ink. A palette
 * whose text reads everywhere stays as it is.
 */
export function wearable(palette: Palette): Palette {
  const worn: Record<ThemeColor, string> = { ...palette };
  for (const ground of ["bg2", "bg3"] as const) {
    const isReadable = (["ink", "inkDim"] as const)
      .every((text) => contrastRatio(palette[text], palette[ground]) >= TEXT_CONTRAST);
    if (!isReadable) worn[ground] = palette.bg;
  }
  const grounds = [worn.bg, worn.bg2, worn.bg3];
  const reads = (color: string) =>
    grounds.every((ground) => contrastRatio(color, ground) >= TEXT_CONTRAST);
  if (!reads(worn.inkFaint)) worn.inkFaint = worn.inkDim;
  for (const color of ["accent", "hot", "ok"] as const) {
    worn[color] = towards(palette[color], palette.ink, reads);
  }
  if (contrastRatio(worn.accentInk, worn.accent) < TEXT_CONTRAST) worn.accentInk = worn.bg;
  return worn;
}

/** The first colour on the way from one to the other (in OKLab) that passes and is not pink; at worst the other. */
function towards(from: string, to: string, passes: (color: string) => boolean): string {
  const mix = interpolate([from, to], "oklab");
  for (let step = 0; step < STEPS; step++) {
    const color = formatHex(mix(step / STEPS)).toUpperCase();
    if (passes(color) && !isPink(color)) return color;
  }
  return to;
}
