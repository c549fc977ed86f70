import { asset } from "fresh/runtime";
import { hash } from "node:crypto";
import { Lru } from "../cache/lru.ts";
import { type Palette, type SiteThemeId, siteThemes } from "../catalog/themes.ts";
import { type Entity, entity, TYPES } from "../http/respond.ts";
import { readablePalette } from "../themes/readable_palette.ts";
import { themeStylesheet } from "../themes/stylesheet.ts";
import { paths } from "../urls.ts";
import type { Deps } from "./deps.ts";
import { getDailyTheme } from "./service.ts";

/** The look of the pages at a time: a stylesheet with the catalogues' colors, and its address. */
export interface Look {
  stylesheet: Entity;
  /** The address with a version in it, so that it can be cached for good. */
  href: string;
  version: string;
  daily: Palette | null;
}

/** The looks that were made last, by what they are made of. */
const looks = new Lru<Look>({ max: 4 });

/** The look with this palette for the `daily` theme. */
function lookOf(daily: Palette | null): Look {
  const font = asset("/fonts/newsreader-500.woff2");
  const key = font + JSON.stringify(daily);
  return looks.get(key) ?? looks.set(key, makeLook(daily, font));
}

function makeLook(daily: Palette | null, font: string): Look {
  const shown = daily && readablePalette(daily);
  const css = themeStylesheet({ daily: shown, font });
  const version = hash("sha1", css, "hex").slice(0, 12);
  return {
    stylesheet: entity(css, TYPES.css),
    version,
    daily: shown,
    href: paths.themes(version),
  };
}

/** The current look, in which `daily` is the theme of the AI of the Day. */
export async function siteLook(deps: Deps): Promise<Look> {
  const theme = await getDailyTheme(deps);
  if (theme === null) return lookOf(null);
  const { name: _, ...palette } = theme;
  return lookOf(palette);
}

/** The background of a theme, for the browser's own colors; null if it follows the system. */
export function themeColor(theme: SiteThemeId, look: Look): string | null {
  if (theme === "daily") return look.daily?.bg ?? null;
  return siteThemes.find(({ id }) => id === theme)!.palette.bg;
}
