import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/**
 * Starts a headless Chromium that comes inside an npm package. One per test file: it takes about
 * a second and 200 MB. The caller closes it.
 */
export async function launchBrowser(): Promise<Browser> {
  return await playwright.launch({
    // The package's own flags switch web security off and everything into one process; tests want neither.
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader"],
    executablePath: await chromium.executablePath(),
    headless: true,
  });
}
