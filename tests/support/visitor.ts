import { assert, assertEquals } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { rounds } from "./runs.ts";

/** How someone uses the site: their input device and browser features. */
interface Way {
  name: string;
  keyboard: boolean;
  script: boolean;
  width: number;
}

const KEYBOARD = { name: "by keyboard alone", keyboard: true, script: true, width: 1280 };
const SMALL = {
  name: "at 320 px wide with JavaScript off",
  keyboard: false,
  script: false,
  width: 320,
};

/**
 * The ways in which whole visits must work: two in the test run, which cover every trait together.
 */
export const WAYS: readonly Way[] = rounds([KEYBOARD, SMALL], [
  KEYBOARD,
  SMALL,
  { ...KEYBOARD, name: "by keyboard with JavaScript off", script: false, width: 1024 },
  { ...SMALL, name: "at 320 px wide", script: true },
]);

/** The ways in which short visits must work, with one more: by keyboard without a script. */
export const MORE_WAYS: readonly Way[] = [
  ...WAYS,
  { ...KEYBOARD, name: "by keyboard without JavaScript", script: false },
];

/**
 * Tab presses from the top of a page to its last control; the longest pages have about 150 stops.
 */
const MOST_STOPS = 250;

/** Someone on the site. Every action uses their way of input, without shortcuts around the page. */
export class Visitor {
  constructor(readonly page: Page, readonly way: Way) {}

  /** Goes to a typed URL; every other step follows the page. */
  async arrive(path: string): Promise<void> {
    await this.page.goto(path);
    await this.look();
  }

  /** Checks the current page against its window's width, whatever the last action was. */
  async look(): Promise<void> {
    const { width } = this.way;
    const wide = await this.page.evaluate(() => document.documentElement.scrollWidth);
    assert(wide <= width, `${this.page.url()} is ${wide} px wide in a window of ${width} px`);
  }

  /** Activates a link or button. */
  async press(target: Locator): Promise<void> {
    if (!this.way.keyboard) return await target.click();
    await this.reach(target);
    await this.page.keyboard.press("Enter");
  }

  /** Activates something that leads to another page, and checks that page. */
  async follow(target: Locator, to: string | RegExp | ((url: URL) => boolean)): Promise<void> {
    await this.press(target);
    await this.page.waitForURL(to);
    await this.look();
  }

  /** Sends a form whose response appears at its own URL or another. */
  async send(button: Locator): Promise<void> {
    // Until its styles load, a page shows no focus style of its own.
    const answered = this.page.waitForEvent("load");
    await this.press(button);
    await answered;
    await this.look();
  }

  /** Types into a field, replacing its content. */
  async type(field: Locator, text: string): Promise<void> {
    if (!this.way.keyboard) return await field.fill(text);
    await this.reach(field);
    await this.page.keyboard.press("ControlOrMeta+A");
    await this.page.keyboard.type(text);
  }

  /** Pastes the last copied text into a field. */
  async paste(field: Locator): Promise<void> {
    if (this.way.keyboard) await this.reach(field);
    else await field.click();
    await this.page.keyboard.press("ControlOrMeta+V");
  }

  /** Selects a list option by its value. */
  async choose(list: Locator, value: string): Promise<void> {
    if (!this.way.keyboard) return void await list.selectOption(value);
    await this.reach(list);
    const at = await list.evaluate((node, value) => {
      const { options, selectedIndex } = node as HTMLSelectElement;
      return [...options].findIndex((option) => option.value === value) - selectedIndex;
    }, value);
    for (let i = 0; i < Math.abs(at); i++) {
      await this.page.keyboard.press(at > 0 ? "ArrowDown" : "ArrowUp");
    }
    assertEquals(await list.inputValue(), value);
  }

  /** Checks a box, or picks a radio button. */
  async tick(box: Locator): Promise<void> {
    if (!this.way.keyboard) return await box.check();
    if (await box.getAttribute("type") === "checkbox") {
      await this.reach(box);
      return await this.page.keyboard.press("Space");
    }
    const name = await box.getAttribute("name");
    await this.reach(this.page.locator(`input[name="${name}"]`));
    await this.page.keyboard.press("Space");
    for (let i = 0; i < 30 && !await box.isChecked(); i++) {
      await this.page.keyboard.press("ArrowDown");
    }
    assert(await box.isChecked());
  }

  /**
   * Copies a snippet: by its button if scripts run, else by selecting its text. Returns the copied
   * text.
   */
  async copy(snippet: Locator): Promise<string> {
    await this.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const button = snippet.locator("button[data-copy]");
    assertEquals(await button.isVisible(), this.way.script);
    if (this.way.script) {
      await this.press(button);
      await this.page.waitForFunction(
        (button) => button!.textContent === "Copied",
        await button.elementHandle(),
      );
    } else {
      const text = snippet.locator("textarea");
      if (this.way.keyboard) await this.reach(text);
      else await text.click();
      await this.page.keyboard.press("ControlOrMeta+A");
      await this.page.keyboard.press("ControlOrMeta+C");
    }
    return await this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Presses Tab until one of the targets has the focus, which must be visible. */
  private async reach(target: Locator): Promise<void> {
    const targets = await target.elementHandles();
    assert(targets.length > 0, `${this.page.url()} has no ${target}`);
    // Once a target has the focus, Tab does nothing, so Tab can be held down: checking after each
    // stop took longer than everything else. Without a script, nothing can hold it there.
    const stopped = await this.page.evaluateHandle((targets) => {
      const stopped = new AbortController();
      addEventListener("keydown", (event) => {
        if (targets.includes(document.activeElement as HTMLElement)) event.preventDefault();
      }, { capture: true, signal: stopped.signal });
      return stopped;
    }, targets);
    const held = this.way.script ? 10 : 1;
    for (let i = 0; i <= MOST_STOPS; i += held) {
      const isThere = await this.page.evaluate(
        (targets) => targets.includes(document.activeElement as HTMLElement),
        targets,
      );
      if (isThere) {
        await stopped.evaluate((stopped) => stopped.abort());
        return await this.seeFocus();
      }
      await Promise.all(Array.from({ length: held }, () => this.page.keyboard.down("Tab")));
      await this.page.keyboard.up("Tab");
    }
    throw new Error(`Tab never reaches ${target} on ${this.page.url()}`);
  }

  /** The focused element is rendered, marked, and not covered (WCAG 2.4.7, 2.4.11). */
  private async seeFocus(): Promise<void> {
    const seen = await this.page.evaluate(() => {
      const element = document.activeElement!;
      const { left, top, width, height } = element.getBoundingClientRect();
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const isMarked = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
      const onTop = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 12));
      const isOnTop = onTop !== null && (element.contains(onTop) || onTop.contains(element));
      return { isMarked, isOnTop, element: element.outerHTML.slice(0, 120) };
    });
    assert(seen.isMarked, `${this.page.url()} does not show the focus of ${seen.element}`);
    assert(seen.isOnTop, `${this.page.url()} covers ${seen.element}`);
  }
}
