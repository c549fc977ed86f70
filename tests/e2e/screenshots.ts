// `deno run -A tests/e2e/screenshots.ts [folder] [part of a page's name]`: screenshots of every
// page and state at three widths, in a light and a dark theme, and of home in all themes. For
// looking at, not for comparing.
import type { Page } from "playwright-core";
import { siteThemes } from "@/lib/catalog/themes.ts";
import { livelySite } from "../support/lively.ts";
import { pageStates, sitePages } from "./pages.ts";

const WIDTHS = [360, 768, 1280];
const THEMES = ["index", "tide"];
/** The maximum height of a screenshot in pixels; longer pages are cut, not scaled. */
const HIGHEST = 12_000;

const [folder = "coverage/screenshots", wanted = ""] = Deno.args;
await Deno.mkdir(folder, { recursive: true });
await using site = await livelySite();

async function shoot(page: Page, name: string, theme: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate((theme) => {
    document.documentElement.dataset.theme = theme;
  }, theme);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.screenshot({
    path: `${folder}/${name.replace(/[^a-z0-9]+/g, "_")}-${theme}-${width}.png`,
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, HIGHEST) },
    timeout: 30_000,
  });
}

const page = await site.visit({ reducedMotion: true });
const states = [
  ...sitePages(site).map((path) => ({
    name: path,
    show: (page: Page) => page.goto(path).then(() => {}),
  })),
  ...pageStates(site),
];
for (const { name, show } of states.filter(({ name }) => name.includes(wanted))) {
  await show(page);
  for (const width of WIDTHS) {
    for (const theme of THEMES) await shoot(page, name, theme, width);
  }
}
await page.goto("/");
for (const { id } of siteThemes) await shoot(page, "/", id, 1280);
