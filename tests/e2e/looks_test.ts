import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { DAY_MS } from "@/lib/clock.ts";
import { keepLogo, logoVersion } from "@/lib/listings/logo.ts";
import { submit } from "../support/listings.ts";
import { pngOf } from "../support/pictures.ts";
import { testSite } from "../support/site.ts";

const site = await testSite({ listings: 6 });
Deno.test.afterAll(async () => await site[Symbol.asyncDispose]());

Deno.test("an Arabic name, tagline and facts are aligned to the start of their boxes", async () => {
  const { project } = await submit(site.app, {
    name: "دفتر الملاحظات",
    tagline: "دفتر ملاحظات هادئ",
    submittedBy: "ليلى",
  });
  await using page = await site.visit();
  await page.goto(`/p/${project.slug}`);
  const gaps = await page.evaluate(() =>
    [...document.querySelectorAll(`main :is(h1, .lead, dd)[dir="auto"]`)].map((node) => {
      const text = document.createRange();
      text.selectNodeContents(node);
      return Math.round(text.getBoundingClientRect().left - node.getBoundingClientRect().left);
    })
  );
  assertEquals(gaps, [0, 0, 0]);
});

Deno.test("on a phone, an Arabic name, tagline and description are right-aligned", async () => {
  const { project } = await submit(site.app, {
    name: "دفتر الملاحظات",
    tagline: "دفتر ملاحظات هادئ",
    description: "سطر أول.",
  });
  await using page = await site.visit({ width: 360 });
  await page.goto(`/p/${project.slug}`);
  const ends = await page.evaluate(() =>
    [...document.querySelectorAll(`main :is(h1, .lead, .description p)`)].map((node) => {
      const text = document.createRange();
      text.selectNodeContents(node);
      return Math.round(text.getBoundingClientRect().right);
    })
  );
  assertEquals(ends, [340, 340, 340]);
});

Deno.test("on a phone, the facts of a list entry fit on one line", async () => {
  await using page = await site.visit({ width: 360 });
  for (const path of ["/projects", "/projects?gems=1", "/skills"]) {
    await page.goto(path);
    const seen = await page.locator(".rows .row-facts").evaluateAll((lines) =>
      lines.map((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        const rows = [...line.children].map((fact) => fact.getBoundingClientRect())
          .filter((fact) => fact.width > 0 && fact.top < bottom && fact.bottom > top);
        return new Set(rows.map((fact) => Math.round((fact.top + fact.bottom) / 2))).size;
      })
    );
    assert(seen.length > 0);
    assertEquals(seen, seen.map(() => 1), path);
  }
});

Deno.test("each line of a description aligns by its own text direction", async () => {
  const { project } = await submit(site.app, { description: "سطر أول.\nEnds at its right." });
  await using page = await site.visit();
  await page.goto(`/p/${project.slug}`);
  const places = await page.locator(".description p").evaluate((node) =>
    ["س", "E", "."].map((letter) => {
      const { firstChild } = node;
      const at = firstChild!.textContent!.lastIndexOf(letter);
      const range = document.createRange();
      range.setStart(firstChild!, at);
      range.setEnd(firstChild!, at + 1);
      return range.getBoundingClientRect().left;
    })
  );
  assert(places[1]! < places[2]! && places[2]! < places[0]!, `${places}`);
});

Deno.test("a skill's vote and download buttons have the same height", async () => {
  await using page = await site.visit({ script: false });
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/skills/changelog-writer");
    const boxes = await page.locator(".listing-actions :is(button, .button)").evaluateAll((nodes) =>
      nodes.map((node) => node.getBoundingClientRect())
    );
    assertEquals(boxes.length, 2);
    const [first] = boxes;
    const row = boxes.filter(({ top }) => top === first!.top);
    assert(row.length === 2 || width === 320, "at 1280 px both are in one row");
    for (const { height } of row) assertEquals(height, first!.height, `${width} px`);
  }
});

Deno.test("forced colors still distinguish pressed votes and current pages", async () => {
  await using page = await site.visit({ script: false });
  await page.emulateMedia({ forcedColors: "active" });
  const style = (selector: string, property: string) =>
    page.locator(selector).first().evaluate(
      (node, property) => getComputedStyle(node).getPropertyValue(property),
      property,
    );
  await page.goto(`/p/${site.slugs[3]}`);
  const before = await style(".listing-head .vote button", "background-color");
  await page.click(".listing-head .vote button");
  await page.waitForSelector(`.listing-head [aria-pressed="true"]`);
  const after = await style(".listing-head .vote button", "background-color");
  assertNotEquals(after, before);
  assertNotEquals(
    await style(`.theme[aria-pressed="true"]`, "background-color"),
    await style(`.theme[aria-pressed="false"]`, "background-color"),
  );
  await page.goto("/poll");
  for (const links of [".bar nav a", ".tabs a"]) {
    assertEquals(await style(`${links}[aria-current]`, "text-decoration-line"), "underline");
    assertEquals(await style(`${links}:not([aria-current])`, "text-decoration-line"), "none");
  }
});

Deno.test("a required choice is marked as an error, with a thicker border in forced colors", async () => {
  await using page = await site.visit({ script: false });
  const edgeOf = async (selector: string) => {
    const { borderColor, borderWidth } = await page.locator(selector).first().evaluate((node) => {
      const { borderTopColor, borderTopWidth } = getComputedStyle(node);
      return { borderColor: borderTopColor, borderWidth: parseFloat(borderTopWidth) };
    });
    return [borderColor, borderWidth] as const;
  };
  await page.goto(`/p/${site.slugs[3]}/report`);
  const [before] = await edgeOf(".choice");
  await Promise.all([
    page.waitForEvent("load"),
    page.locator("form.form").evaluate((form) => (form as HTMLFormElement).submit()),
  ]);
  const [after] = await edgeOf(".choice");
  assertNotEquals(after, before);
  assertEquals(after, (await edgeOf(".problems"))[0]);
  await page.emulateMedia({ forcedColors: "active" });
  assert((await edgeOf(".choice"))[1] > (await edgeOf("#note"))[1]);
});

Deno.test("prefers-contrast: more uses the ink color for quiet text and lines, but not for theme samples", async () => {
  // A visitor without votes: the border of a pressed button isn't in ink.
  await using page = await site.visit({ theme: "tide", name: "B" });
  await page.goto("/projects");
  const colors = () =>
    page.evaluate(() => {
      const color = (selector: string, property: string) =>
        getComputedStyle(document.querySelector(selector)!).getPropertyValue(property);
      return {
        ink: color("body", "color"),
        quiet: [
          color(".tally", "color"),
          color(".row-facts", "color"),
          color(".rows", "border-top-color"),
          color(".vote button", "border-top-color"),
        ],
        sample: color('.swatch[data-theme="ivory"]', "border-top-color"),
      };
    });
  const before = await colors();
  assertEquals(before.quiet.includes(before.ink), false);
  await page.emulateMedia({ contrast: "more" });
  const { ink, quiet, sample } = await colors();
  assertEquals(quiet, quiet.map(() => ink));
  assertEquals([ink, sample], [before.ink, before.sample]);
});

Deno.test("a dark theme prints in dark ink, without forms and buttons", async () => {
  await using page = await site.visit({ theme: "tide" });
  await page.emulateMedia({ media: "print" });
  await page.goto("/");
  for (const selector of ["h1", ".row-tagline", ".label.paid", ".rows .row"]) {
    const colors = await page.locator(selector).first().evaluate((node) =>
      [undefined, "::before"].map((part) => getComputedStyle(node, part).color)
    );
    for (const color of colors) assert(Math.max(...color.match(/\d+/g)!.map(Number)) < 100, color);
  }
  assertEquals(await page.locator("main form:not(.vote):visible").count(), 0);
  const votes = page.locator(".rows .vote button");
  assert(await votes.first().isVisible(), "the votes are a part of the list");
  assertEquals(
    await votes.first().evaluate((node) => getComputedStyle(node).borderTopStyle),
    "none",
  );
  await page.setViewportSize({ width: 500, height: 900 });
  const cards = await page.locator(".ticker-line .card").evaluateAll((cards) =>
    cards.map((card) => card.getBoundingClientRect().right)
  );
  assert(cards.length > 1 && Math.max(...cards) < 500, `what is paid for is cut: ${cards}`);
  await page.goto(`/p/${site.slugs[3]}`);
  assertEquals(
    await page.locator("main :is(button, .button):not(.vote button):visible").count(),
    0,
  );
  assertEquals(await page.locator("main h2:visible").allInnerTexts(), ["Details", "See also"]);
  await page.goto("/poll");
  assertEquals(await page.locator("#ballot").isVisible(), false);
});

Deno.test("columns are side by side at normal text size and stacked when the text is larger", async () => {
  await using page = await site.visit();
  for (const [path, one, other] of [["/poll", "#ballot", "#standings"], ["/", "#hot", "#gems"]]) {
    await page.goto(path!);
    for (const [size, isBeside] of [["100%", true], ["200%", false]] as const) {
      const lefts = await page.evaluate(([size, ...parts]) => {
        document.documentElement.style.fontSize = size!;
        return parts.map((part) => document.querySelector(part!)!.getBoundingClientRect().left);
      }, [size, one, other]);
      assertEquals(Math.abs(lefts[0]! - lefts[1]!) > 200, isBeside, `${path} at ${size}`);
    }
  }
});

Deno.test("the API reference's table of contents stays in view", async () => {
  await using page = await site.visit();
  await page.goto("/api");
  for (const [down, link] of [[2000, "Listings"], [4000, "Poll"]] as const) {
    await page.evaluate((down) => scrollTo(0, down), down);
    const { y } = (await page.locator(".toc").getByRole("link", { name: link, exact: true })
      .boundingBox())!;
    assert(y > 0 && y < 900, `${link} at ${y}`);
  }
});

Deno.test("on touch screens, form controls are at least 44 px high and other controls 36 px", async () => {
  const context = await site.browser.newContext({ baseURL: site.base, hasTouch: true });
  const page = await context.newPage();
  const tooLow = async (selector: string, least: number) =>
    (await page.locator(selector).evaluateAll((nodes) =>
      nodes.filter((node) => node.getClientRects().length > 0)
        .map((node) => `${node.outerHTML.slice(0, 80)}: ${node.getBoundingClientRect().height}`)
    )).filter((shown) => Number(shown.split(": ").at(-1)) < least);
  for (const path of ["/", "/projects", "/submit", "/poll", `/p/${site.slugs[3]}`]) {
    await page.goto(path);
    const controls = ".button, .vote button, select, textarea:not([readonly]), " +
      "input:not([type=checkbox], [type=radio], [type=hidden])";
    assert(await page.locator(controls).count() > 1, path);
    assertEquals(await tooLow(controls, 44), [], path);
    assertEquals(
      await tooLow(".choice, .theme, .copy, .tabs a, .bar nav a, .ticker-pause, summary", 36),
      [],
      path,
    );
  }
  await context.close();
});

Deno.test("on touch screens, whose header is higher, menus open below it", async () => {
  const context = await site.browser.newContext({ baseURL: site.base, hasTouch: true });
  const page = await context.newPage();
  for (
    const [width, button, menu] of [
      [360, ".menu-button", "#site-menu"],
      [1024, "#theme-switch", "#theme-menu"],
    ] as const
  ) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/about");
    await page.tap(button);
    const header = (await page.locator(".site-header").boundingBox())!;
    const { y } = (await page.locator(menu).boundingBox())!;
    assert(y >= header.height - 1 && y < header.height + 5, `${menu} at ${y}, ${header.height}`);
  }
  await context.close();
});

Deno.test("a standalone link has a target at least 24 px high", async () => {
  await using page = await site.visit({ width: 360, script: false });
  const alone = ":is(.facts dd, .row-name, .row-facts, .more, .section-head p, tbody th, h3) > a";
  for (const path of ["/", "/projects?tag=css", `/p/${site.slugs[3]}`, "/ranking"]) {
    await page.goto(path);
    const heights = await page.locator(alone).evaluateAll((links) =>
      links.flatMap((link) => link.getClientRects()[0]?.height ?? [])
    );
    assert(heights.length > 0 && Math.min(...heights) >= 24, `${path}: ${Math.min(...heights)}`);
  }
});

Deno.test("the first hot project fits on the home page's first screen, below all paid spots", async () => {
  const { catalogue, clock } = site.app.deps;
  const span = { startsAt: clock.now() - 1, endsAt: clock.now() + DAY_MS };
  for (let n = 0; n < 5; n++) {
    const { project } = await submit(site.app, { name: `Paid ${n}`, tagline: "T".repeat(120) });
    catalogue.setPromotion(project.slug, [{ tierId: "boost-7", ...span }]);
  }
  for (
    const [width, height, touch] of [
      [1280, 900, false],
      [768, 1024, false],
      [360, 740, false],
      [360, 740, true],
    ] as const
  ) {
    const context = await site.browser.newContext({ baseURL: site.base, hasTouch: touch });
    const page = await context.newPage();
    await page.setViewportSize({ width, height });
    await page.goto("/");
    assert(await page.locator(".front-card, .ticker-line .card").count() > 6);
    const row = (await page.locator(".rows .row").first().boundingBox())!;
    assert(row.y + row.height <= height, `${row.y} and ${row.height} of ${height}`);
    await context.close();
  }
});

Deno.test("the header shows its navigation in one row if it fits, and otherwise in a menu without script", async () => {
  await using page = await site.visit({ script: false });
  for (const width of [320, 360, 390, 768, 991, 992, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/about");
    const bar = (await page.locator(".bar").boundingBox())!;
    assert(bar.height < 70, `${width} px: the bar is ${bar.height} high`);
    const parts = [".bar nav a", "#search", ".themes button"];
    const shown = async () =>
      await Promise.all(parts.map((part) => page.locator(part).first().isVisible()));
    if (width >= 992) {
      assertEquals(await shown(), [true, true, false], `${width} px`);
      await page.click("#theme-switch");
    } else {
      assertEquals(await shown(), [false, false, false], `${width} px`);
      await page.getByRole("button", { name: "Menu" }).click();
    }
    assertEquals(await shown(), [true, true, true], `${width} px`);
    await page.keyboard.press("Escape");
  }
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/about");
  await page.getByRole("button", { name: "Menu" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assertEquals(await page.evaluate(() => document.activeElement!.textContent), "Projects");
});

Deno.test("on a form's response, the header's search field fills the theme switch's place", async () => {
  await using page = await site.visit({ script: false });
  await page.goto("/submit");
  const boxOf = async (part: string) => (await page.locator(part).boundingBox())!;
  const { x, width } = await boxOf("#search");
  await page.locator("form.form").evaluate((form: HTMLFormElement) => form.submit());
  await page.waitForSelector(".problems");
  const wide = await boxOf("#search");
  assert(Math.abs(wide.x - x) < 6, `${x} px to ${wide.x} px`);
  const gap = (await boxOf(".bar > .primary")).x - (wide.x + wide.width);
  assert(wide.width > width && gap < 20, `a gap of ${gap} px`);
});

Deno.test("a menu left open doesn't cover the link that has the keyboard focus", async () => {
  await using page = await site.visit({ script: false });
  const seen = () =>
    page.evaluate(() => {
      const { x, y } = document.activeElement!.getClientRects()[0]!;
      const menu = document.querySelector("[popover]:popover-open")!;
      return {
        inMain: document.activeElement!.closest("main") !== null,
        hidden: getComputedStyle(menu).opacity === "0",
        covered: !document.elementFromPoint(x + 2, y + 8)!.contains(document.activeElement),
      };
    });
  for (const [width, button, last] of [[360, "Menu", 1], [1280, "Theme", 2]] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/about");
    await page.getByRole("button", { name: button, exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".themes button").last().focus();
    assertEquals(await seen(), { inMain: false, hidden: false, covered: false });
    for (let i = 0; i < last; i++) await page.keyboard.press("Tab");
    assertEquals(await seen(), { inMain: true, hidden: true, covered: false });
    for (let i = 0; i < last; i++) await page.keyboard.press("Shift+Tab");
    assertEquals(await seen(), { inMain: false, hidden: false, covered: false });
  }
});

Deno.test("on a phone with text twice as large, names have room and amounts grow", async () => {
  await using page = await site.visit({ width: 360, script: false });
  const enlarge = () =>
    page.evaluate(() => void (document.documentElement.style.fontSize = "200%"));
  await page.goto("/");
  await enlarge();
  for (const row of [".front-card", ".rows .row"]) {
    const [name, vote] = await Promise.all(
      ["h3", ".vote button"].map((part) => page.locator(`${row} ${part}`).first().boundingBox()),
    );
    assert(name!.width > 100 && name!.x + name!.width <= vote!.x, `${row}: ${name!.width} px`);
  }
  await page.goto("/stats");
  const size = () =>
    page.locator(".standing .num").first().evaluate((n) =>
      parseFloat(getComputedStyle(n).fontSize)
    );
  const before = await size();
  await enlarge();
  assert(await size() > before, `${await size()} px after ${before} px`);
});

Deno.test("every MCP client's settings are shown in full and copied unchanged", async () => {
  const page = await site.visit();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/agents");
  await page.locator("main summary").first().click();
  const snippets = page.locator("figure:has(button[data-copy])");
  await snippets.first().locator("button").waitFor();
  assert(await snippets.count() > 4);
  for (const snippet of await snippets.all()) {
    const text = await snippet.locator("textarea").inputValue();
    const hidden = await snippet.locator("textarea").evaluate((field) => {
      // As in a browser that can't size a field by its content.
      Object.assign((field as HTMLElement).style, { fieldSizing: "fixed", whiteSpace: "pre" });
      return field.scrollHeight - field.clientHeight;
    });
    assert(hidden <= 0, `${hidden} px of ${text}`);
    await snippet.getByRole("button").click();
    await page.waitForSelector(`[role="status"]:text-is("Copied")`, { state: "attached" });
    assertEquals(await page.evaluate(() => navigator.clipboard.readText()), text);
  }
  const names = await snippets.getByRole("button").evaluateAll((buttons) =>
    buttons.map((button) => button.ariaLabel)
  );
  assertEquals(new Set(names).size, names.length, names.join());
});

Deno.test("without clipboard access, a copy button selects the text", async () => {
  const page = await site.visit();
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: null }));
  await page.goto(`/p/${site.slugs[3]}`);
  const snippet = page.locator(".snippet").first();
  await snippet.getByRole("button").click();
  await page.waitForSelector(`[role="status"]:text("Selected")`, { state: "attached" });
  const field = snippet.locator("textarea");
  assertEquals(await field.evaluate((field) => field === document.activeElement), true);
  assertEquals(
    await page.evaluate(() => getSelection()!.toString()),
    await field.inputValue(),
  );
});

/** The path of the link that a click on the left of a part of the home page opens. */
async function linkAt(page: Page, part: string): Promise<string> {
  await page.goto("/");
  const { x, y, height } = (await page.locator(part).first().boundingBox())!;
  const link = await page.evaluate(
    ([x, y]) => {
      scrollTo(0, y! - 100);
      return document.elementFromPoint(x!, y! - scrollY)?.closest("a")?.pathname;
    },
    [x + 4, y + height / 2],
  );
  return link ?? "";
}

Deno.test("a click on an entry's tile opens it, and its text can be selected", async () => {
  await using page = await site.visit({ reducedMotion: true });
  for (const entry of [".front-card", ".ticker-line .card", ".rows .row", "#gems + .briefs"]) {
    assertMatch(await linkAt(page, `${entry} .tile`), /^\/p\//, entry);
  }
  assertEquals(await linkAt(page, ".rows .row-tagline"), "");
});

Deno.test("on touch screens, tapping an entry's text opens it, and tapping its category opens that", async () => {
  const context = await site.browser.newContext({ baseURL: site.base, hasTouch: true });
  const page = await context.newPage();
  for (
    const [part, path] of [
      [".front-card .row-tagline", /^\/p\//],
      [".ticker-line .card-text", /^\/p\//],
      [".rows .row-tagline", /^\/p\//],
      [".rows .tile", /^\/p\//],
      ["#gems + .briefs p", /^\/p\//],
      [".rows .row-facts a", /^\/c\//],
    ] as const
  ) {
    assertMatch(await linkAt(page, part), path, part);
  }
  await context.close();
});

Deno.test("tool names in checkboxes never break within a word, down to 320 px", async () => {
  await using page = await site.visit({ script: false });
  await page.goto("/submit");
  await page.click("form summary");
  for (const width of [320, 326, 332, 360, 452, 484, 592, 636, 1000]) {
    await page.setViewportSize({ width, height: 900 });
    const broken = await page.locator(".choice:has(.mark) > span").evaluateAll((names) =>
      names.filter(({ lastChild }) => {
        const words = [...lastChild!.textContent!.matchAll(/\S+/g)];
        return words.some(({ 0: word, index }) => {
          const place = document.createRange();
          place.setStart(lastChild!, index);
          place.setEnd(lastChild!, index + word.length);
          return place.getClientRects().length > 1;
        });
      }).map(({ textContent }) => textContent)
    );
    assertEquals(broken, [], `${width} px`);
  }
});

Deno.test("touch screens don't keep the hover style of a button after a tap", async () => {
  const context = await site.browser.newContext({ baseURL: site.base, hasTouch: true });
  const touched = await context.newPage();
  await using pointed = await site.visit({ name: "pointer" });
  const button = ".listing-head .vote button";
  for (const [page, isShown] of [[touched, false], [pointed, true]] as const) {
    await page.goto(`/p/${site.slugs[3]}`);
    const edge = () =>
      page.locator(button).evaluate((node) => getComputedStyle(node).borderTopColor);
    const before = await edge();
    // On touch screens the last touched element stays hovered until another is touched.
    await page.hover(button);
    assertEquals(await edge() !== before, isShown);
  }
  await context.close();
});

Deno.test("a vote button stretched by its neighbor keeps its arrow and count together", async () => {
  await using page = await site.visit({ script: false });
  await page.goto(`/p/${site.slugs[3]}`);
  const [before, after, height] = await page.locator(".listing-actions").evaluate((actions) => {
    const [vote, arrow, count] = ["button", "button span", ".count"].map((part) =>
      actions.querySelector(`.vote ${part}`)!
    );
    const place = (part: Element) => {
      const text = document.createRange();
      text.selectNodeContents(part);
      return text.getBoundingClientRect();
    };
    const gap = () => place(count!).top - place(arrow!).bottom;
    const before = gap();
    actions.querySelector("a.button")!.textContent = "Visit a host of many words ".repeat(6);
    return [before, gap(), vote!.clientHeight];
  });
  assert(height! > 80, "the button is stretched");
  assertEquals(after, before);
});

Deno.test("a long name doesn't make a promoted project's card taller", async () => {
  await using page = await site.visit({ script: false });
  await page.goto("/");
  const [before, after] = await page.locator(".ticker-line .card").first().evaluate((card) => {
    const before = card.clientHeight;
    card.querySelector(".card-name a")!.textContent = "W".repeat(60);
    return [before, card.clientHeight];
  });
  assertEquals(after, before);
  assert(await page.locator("#promoted .label").isVisible());
});

Deno.test("filters get a line each where two side by side would cut off their values", async () => {
  await using page = await site.visit({ width: 320 });
  for (const [width, lines] of [[320, 3], [360, 2]]) {
    await page.setViewportSize({ width: width!, height: 900 });
    await page.goto("/projects?q=react");
    await page.click(".filters summary");
    const tops = await page.locator("details .filter").evaluateAll((filters) =>
      filters.map((filter) => filter.getBoundingClientRect().top)
    );
    assertEquals(new Set(tops).size, lines, `${width} px`);
  }
});

Deno.test("on a phone, filters are folded and the active ones are named; otherwise they're open", async () => {
  await using page = await site.visit({ width: 360, script: false });
  const summary = page.locator(".filters summary");
  await page.goto("/projects");
  assertEquals(await summary.innerText(), "Filters");
  assertEquals(await page.isVisible("#category"), false);
  assert(
    (await page.locator(".rows").boundingBox())!.y < 400,
    "half of the first screen is the list",
  );
  await page.goto("/projects?sort=top&category=open-source&tag=css");
  assertEquals(await summary.innerText(), "Filters: Open source, css");
  await page.goto("/skills?sort=hot&kind=workflow");
  assertEquals(await summary.innerText(), "Filters: Workflow");

  // Keyboard focus moves in visual order.
  const passed = async (first: string, count: number) => {
    await page.focus(first);
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      await page.keyboard.press("Tab");
      ids.push(
        await page.evaluate(() =>
          document.activeElement!.id || document.activeElement!.textContent!
        ),
      );
    }
    return ids;
  };
  const choices = ["category", "tool", "pricing", "Search"];
  await page.goto("/projects");
  await page.focus(".filters summary");
  await page.keyboard.press("Enter");
  assertEquals(await passed("#q", 5), ["Filters", ...choices]);
  const { y } = (await page.locator("#pricing").boundingBox())!;
  assert((await page.locator(".filters .button").boundingBox())!.y > y);
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/projects");
    assertEquals(await summary.isVisible(), false);
    assertEquals(await passed("#q", 4), choices, `${width} px`);
  }
});

Deno.test("traffic tables fit a phone, and forced colors keep the parts of charts distinct", async () => {
  await using page = await site.visit({ width: 320, script: false });
  for (let day = 0; day < 2; day++) {
    await page.goto("/about");
    site.app.clock.advance(DAY_MS);
  }
  await page.goto("/stats");
  const beyond = await page.locator(".panel > .table-scroll").evaluateAll((tables) =>
    tables.map((table) => {
      for (const count of table.querySelectorAll("td")) count.textContent = "23,456";
      return table.scrollWidth - table.clientWidth;
    })
  );
  assertEquals(beyond, [0, 0]);
  await page.emulateMedia({ forcedColors: "active" });
  const colors = await page.locator(".key").evaluateAll((keys) =>
    keys.slice(0, 2).map((key) => getComputedStyle(key).backgroundColor)
  );
  assertNotEquals(colors[0], colors[1]);
});

Deno.test("a logo covers the monogram, and a missing one takes up no space", async () => {
  const logoUrl = "http://logos.example/logo.png";
  const shown = (await submit(site.app, { name: "Shown", logoUrl })).project.slug;
  const failed = (await submit(site.app, { name: "Failed", logoUrl })).project.slug;
  const logo = { version: logoVersion(logoUrl), png: await pngOf(96, 96) };
  await site.app.deps.store.transact((tx) => keepLogo(tx, shown, logo));
  await using page = await site.visit();
  const sizes: number[] = [];
  for (const slug of [shown, failed]) {
    await page.goto(`/p/${slug}`);
    const tile = page.locator("main .tile.large");
    await tile.locator("img").evaluate((img: HTMLImageElement) => img.decode().catch(() => {}));
    const widthOf = (node: Element) => node.getBoundingClientRect().width;
    sizes.push(await tile.locator("img").evaluate(widthOf), await tile.evaluate(widthOf));
  }
  assertEquals(sizes, [70, 72, 0, 72]);
});
