// `deno run -A tests/e2e/screenshots.ts [folder]`: pictures of every page at three widths, in a light and a dark
// theme, and of home in all themes. For looking at, not for comparing.
import { siteThemes } from "@/lib/catalog/themes.ts";
import { testSite } from "../support/site.ts";
import { sitePages } from "./pages.ts";

const folder = Deno.args[0] ?? "coverage/screenshots";
await Deno.mkdir(folder, { recursive: true });
await using site = await testSite({ listings: 40 });

async function shoot(path: string, options: { width: number; theme: string }): Promise<void> {
  const page = await site.visit({ ...options, reducedMotion: true });
  await page.goto(path);
  const name = path.replace(/[^a-z0-9]+/g, "_");
  await page.screenshot({
    path: `${folder}/${name}-${options.theme}-${options.width}.png`,
    fullPage: true,
    timeout: 30_000,
  });
  await page.context().close();
}

for (const path of sitePages(site.slugs)) {
  for (const width of [360, 768, 1280]) {
    for (const theme of ["index", "tide"]) await shoot(path, { width, theme });
  }
}
for (const { id } of siteThemes) await shoot("/", { width: 1280, theme: id });
