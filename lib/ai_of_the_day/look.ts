import { asset } from "fresh/runtime";
import { hash } from "node:crypto";
import { Lru } from "../cache/lru.ts";
import { type Palette, type SiteThemeId, siteThemes } from "../catalog/themes.ts";
import { type Entity, entity, TYPES } from "../http/respond.ts";
import { readablePalette } from "../themes/readable_palette.ts";
import { themeStylesheet } from "../themes/stylesheet.ts";
import type { Theme } from "../themes/theme.ts";
import { paths } from "../urls.ts";
import type { Deps } from "./deps.ts";
import { getDailyTheme } from "./service.ts";

/** The current look of the pages: a stylesheet with the catalogs' colors, and its address. */
interface Look {
  stylesheet: Entity;
  /** The address includes a version, so it can be cached forever. */
  href: string;
  version: string;
  daily: Palette | null;
}

/** Recent looks, keyed by their inputs. */
const looks = new Lru<Look>({ max: 4 });

/** The current look, where `daily` is the AI of the Day's theme. */
export async function siteLook(deps: Deps): Promise<Look> {
  const theme = await getDailyTheme(deps);
  const font = asset("/fonts/newsreader-500.woff2");
  const key = font + JSON.stringify(theme);
  return looks.get(key) ?? looks.set(key, makeLook(theme, font));
}

function makeLook(theme: Theme | null, font: string): Look {
  let daily: Palette | null = null;
  if (theme !== null) {
    const { name: _, ...palette } = theme;
    daily = readablePalette(palette);
  }
  const css = themeStylesheet({ daily, font });
  const version = hash("sha1", css, "hex").slice(0, 12);
  return { stylesheet: entity(css, TYPES.css), version, daily, href: paths.themes(version) };
}

/** A theme's background for the browser's own UI; null if it follows the system. */
export function themeColor(theme: SiteThemeId, look: Look): string | null {
  if (theme === "daily") return look.daily?.bg ?? null;
  return siteThemes.find(({ id }) => id === theme)!.palette.bg;
}
