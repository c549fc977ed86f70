import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/**
 * Starts a headless Chromium that comes inside an npm package. One per test file: it takes about
 * a second and 200 MB. The caller closes it.
 */
export async function launchBrowser(): Promise<Browser> {
  return await playwright.launch({
    args: [...chromium.args, "--no-sandbox"],
    executablePath: await chromium.executablePath(),
    headless: true,
  });
}
