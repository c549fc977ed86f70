import { assert, assertEquals } from "@std/assert";
import axe from "axe-core/axe.min.js";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { siteThemes } from "@/lib/catalog/themes.ts";
import { livelySite } from "../support/lively.ts";
import { rounds, runSeed } from "../support/runs.ts";
import { pageStates, sitePages } from "./pages.ts";

/** A proposal that follows the palette rules and is as hard to read as they allow. */
const WORST_PROPOSAL = {
  name: "Barely",
  bg: "#FFFFFF",
  bg2: "#111111",
  bg3: "#777777",
  ink: "#111111",
  inkDim: "#757575",
  inkFaint: "#FFFFFF",
  line: "#FFFFFF",
  lineStrong: "#FFFFFF",
  accent: "#929292",
  accentInk: "#000000",
  hot: "#929292",
  ok: "#929292",
};

const site = await livelySite({ listings: 40, proposal: WORST_PROPOSAL });
Deno.test.afterAll(async () => await site[Symbol.asyncDispose]());
const pages = sitePages(site);
const states = [
  ...pages.map((path) => ({ name: path, show: (page: Page) => page.goto(path).then(() => {}) })),
  ...pageStates(site),
];

/** Decides which pages a short run checks. */
const seed = runSeed("pages");

/** The rules about colors; all others give the same result in every theme. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

Deno.test("axe finds no violations on any page, in any state or theme", async () => {
  await using page = await site.visit({ reducedMotion: true });
  await page.addInitScript(axe.source);
  const found: string[] = [];
  const others = siteThemes.map(({ id }) => id).filter((id) => id !== "daily");
  for (const [i, { name, show }] of states.entries()) {
    // A run checks every eighth page, starting from a seeded one, in the least legible theme and one
    // other. `SOAK=1` checks all pages in all themes.
    if ((i + seed) % rounds(8, 1) !== 0) continue;
    await show(page);
    const themes = ["daily", ...rounds([others[(i + seed) % others.length]!], others)];
    for (const [j, theme] of themes.entries()) {
      const { violations, passes } = await runAxe(page, theme, j === 0 ? null : COLOR_RULES);
      for (const { id, nodes } of violations) {
        found.push(`${name} in ${theme}: ${id} at ${nodes[0]!.html.slice(0, 200)}`);
      }
      assert(passes > 0, `${name} in ${theme}: axe looked at nothing`);
    }
  }
  assertEquals(found, []);
  const daily = await page.evaluate(() => {
    document.documentElement.dataset.theme = "daily";
    return getComputedStyle(document.documentElement).getPropertyValue("--bg");
  });
  assertEquals(daily, WORST_PROPOSAL.bg, "the AI of the Day's theme is in use");
});

interface AxeFindings {
  violations: { id: string; nodes: { html: string }[] }[];
  /** Rules that checked something and passed. */
  passes: number;
}

/**
 * Checks the page in a theme against some axe rules; with null, against all, including target size.
 */
function runAxe(page: Page, theme: string, rules: string[] | null): Promise<AxeFindings> {
  return page.evaluate(async ([theme, rules]) => {
    document.documentElement.dataset.theme = theme;
    // deno-lint-ignore no-explicit-any -- axe puts itself on the window
    const results = await (globalThis as any).axe.run(document, {
      resultTypes: ["violations"],
      rules: { "target-size": { enabled: true } },
      ...(rules ? { runOnly: { type: "rule", values: rules } } : {}),
    });
    return { violations: results.violations, passes: results.passes.length };
  }, [theme, rules] as const);
}

Deno.test("pages cause no errors, load nothing external, and fit narrow windows and large text", async () => {
  const problems: string[] = [];
  await using page = await site.visit();
  const tell = (problem: string) => problems.push(`${page.url()}: ${problem}`);
  page.on("pageerror", (error) => tell(error.message));
  page.on("console", (message) => message.type() === "error" && tell(message.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith(site.base)) tell(`loads ${request.url()}`);
  });
  for (const path of pages.filter((_, i) => (i + seed) % rounds(5, 1) === 0)) {
    await page.goto(path);
    // Islands start, and load their data.
    if (await page.locator("#frsh-state").count() > 0) await page.waitForTimeout(150);
    for (const [width, zoom] of [[320, 1], [320, 2], [360, 2], [1280, 2]] as const) {
      await page.setViewportSize({ width, height: 800 });
      const { scroll, spaced, cut } = await page.evaluate((zoom) => {
        document.documentElement.style.fontSize = zoom > 1 ? `${100 * zoom}%` : "";
        const { scrollWidth, clientWidth } = document.documentElement;
        const spacing = new CSSStyleSheet();
        spacing.replaceSync(
          "* { line-height: 1.5 !important; letter-spacing: 0.12em !important;" +
            " word-spacing: 0.16em !important }",
        );
        document.adoptedStyleSheets = zoom > 1 ? [] : [spacing];
        const spaced = document.documentElement.scrollWidth;
        document.adoptedStyleSheets = [];
        return {
          spaced,
          scroll: scrollWidth,
          cut: [...document.querySelectorAll("caption:not(.quiet)")]
            .filter((caption) => caption.getBoundingClientRect().right > clientWidth).length,
        };
      }, zoom);
      if (scroll > width) {
        tell(
          `is ${scroll} px wide in a window of ${width} px, with its text ${zoom} times as large`,
        );
      }
      if (spaced > width) tell(`is ${spaced} px wide with its text spaced, of ${width} px`);
      if (cut > 0) tell(`has a caption that is cut at ${width} px`);
    }
  }
  assertEquals(problems, []);
});

Deno.test("a link to a help entry or API operation unfolds it without script", async () => {
  await using page = await site.visit({ width: 360, script: false });
  const opened = page.locator(".unfold[open]");
  for (const [path, id] of [["/help", "fetcher"], ["/api", "createProject"]]) {
    await page.goto(path!);
    assertEquals(await opened.count(), 0);
    await page.goto(`${path}#${id}`);
    assert(await page.locator(`#${id}`).isVisible());
    const head = page.locator(`.unfold:has(> #${id}) > summary`);
    assert((await head.boundingBox())!.y >= 0, `what ${id} is folded below is on the screen`);
  }
  await page.goto("/help?q=edit+key");
  assertEquals(await opened.count(), 5);
});

Deno.test("a long name doesn't wrap amounts, or widen the table of bids", async () => {
  await using page = await site.visit({ script: false });
  const { leads, openAuction } = site.named;
  for (const path of ["/auctions", `/auctions/${openAuction}`, leads]) {
    await page.goto(path);
    for (const width of [320, 576, 640, 768, 1008, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const lines = await page.locator(".standing dd").evaluateAll((values) =>
        values.filter((value) => value.textContent!.startsWith("$")).map((amount) => {
          const text = document.createRange();
          text.selectNodeContents(amount);
          return text.getClientRects().length;
        })
      );
      assert(lines.length > 0);
      assertEquals(lines, lines.map(() => 1), `${path} at ${width} px`);
    }
  }
  await page.goto(`/auctions/${openAuction}`);
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const beyond = await page.locator(".table-scroll").evaluate((table) =>
      table.scrollWidth - table.clientWidth
    );
    assertEquals(beyond, 0, `${width} px`);
  }
});

Deno.test("pages stay within 40 KB of HTML and CSS and 15 KB of script; pages without islands ship none", async () => {
  const heavy: string[] = [];
  const sizeOf = async (path: string) => {
    const response = await site.app.request(path, { headers: { "Accept": "*/*" } });
    return gzipSync(new Uint8Array(await response.arrayBuffer()), { level: 6 }).byteLength;
  };
  for (const path of pages) {
    const html = await (await site.app.request(path, { headers: { Accept: "text/html" } })).text();
    const styles = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map((m) => m[1]!);
    let weight = gzipSync(html, { level: 6 }).byteLength;
    for (const style of styles) weight += await sizeOf(style.replaceAll("&amp;", "&"));
    if (weight > 40 * 1024) heavy.push(`${path}: ${weight} bytes of HTML and CSS`);

    const scripts = [
      ...html.matchAll(
        /<script(?! type="application\/ld\+json"| type="module" src="\/enhance\.js)[^>]*>/g,
      ),
    ];
    if (!html.includes("frsh:island") && scripts.length > 0) heavy.push(`${path} ships script`);
  }
  // Every page with islands ships the same scripts as home.
  await using page = await site.visit();
  const bodies: Promise<Uint8Array>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") bodies.push(response.body());
  });
  await page.goto("/", { waitUntil: "networkidle" });
  const weights = (await Promise.all(bodies)).map((body) =>
    gzipSync(body, { level: 6 }).byteLength
  );
  const script = weights.reduce((sum, weight) => sum + weight, 0);
  if (script === 0 || script > 15 * 1024) heavy.push(`${script} bytes of script`);
  assertEquals(heavy, []);
});

Deno.test("a cached page that is revalidated with a 304 looks and works the same", async () => {
  await using page = await site.visit();
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  let confirmed = 0;
  network.on("Network.responseReceivedExtraInfo", ({ statusCode }) => {
    if (statusCode === 304) confirmed++;
  });
  for (let visit = 0; visit < 3; visit++) {
    await page.goto("/about");
    // Idle: the island has loaded the caller's votes, so its state stays until the click.
    await page.goto("/projects", { waitUntil: "networkidle" });
    const font = await page.evaluate(() =>
      getComputedStyle(document.querySelector("h1")!).fontFamily
    );
    assertEquals(font.startsWith("Newsreader"), true);
    const button = page.locator(".vote button").first();
    const before = await button.getAttribute("aria-pressed");
    const answered = page.waitForResponse(/\/vote$/);
    await button.click();
    await page.waitForFunction(
      (before) => document.querySelector(".vote button")!.getAttribute("aria-pressed") !== before,
      before,
    );
    await (await answered).finished();
    await page.goto("/about");
    await page.goto("/projects");
  }
  assert(confirmed >= 3, `${confirmed} answers were a 304`);
});
