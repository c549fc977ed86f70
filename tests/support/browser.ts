import chromium from "@sparticuz/chromium";
import { tmpdir } from "node:os";
import { type Browser, chromium as playwright } from "playwright-core";

let shared: Promise<Browser> | undefined;
let users = 0;

/**
 * A headless Chromium from an npm package, which takes about a second and 200 MB. The test files
 * of a worker share one; the last to dispose of it closes it.
 */
export async function sharedBrowser(): Promise<AsyncDisposable & { browser: Browser }> {
  users++;
  const browser = await (shared ??= launch());
  return {
    browser,
    async [Symbol.asyncDispose]() {
      if (--users > 0) return;
      shared = undefined;
      await browser.close();
    },
  };
}

async function launch(): Promise<Browser> {
  const executablePath = await unpackBrowser();
  return await playwright.launch({
    // The package's own flags turn off web security and run everything in one process; tests want
    // neither. Without a screen, painting without a GPU takes a quarter less CPU than emulating
    // one. Visitors share one process for their pages: each new one costs a tenth of a second.
    args: ["--no-sandbox", "--disable-gpu", "--renderer-process-limit=1"],
    executablePath,
    headless: true,
  });
}

/**
 * The package unpacks itself into the temporary folder once; test files running in parallel take
 * turns.
 */
async function unpackBrowser(): Promise<string> {
  const path = `${tmpdir()}/projectory-browser.lock`;
  using lock = await Deno.open(path, { create: true, write: true });
  await lock.lock(true);
  return await chromium.executablePath();
}
