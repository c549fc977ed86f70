import { assert, assertEquals } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { rounds } from "./runs.ts";

/** How someone uses the site: with what they reach things, and what their browser does. */
export interface Way {
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

/** The ways in which whole visits must work: in the test run two, which have every trait between them. */
export const WAYS: readonly Way[] = rounds([KEYBOARD, SMALL], [
  KEYBOARD,
  SMALL,
  { ...KEYBOARD, name: "by keyboard with JavaScript off", script: false, width: 1024 },
  { ...SMALL, name: "at 320 px wide", script: true },
]);

/** Keys from the top of a page to its last control; the longest pages have some 150 stops. */
const MOST_STOPS = 250;

/** Someone on the site. Every act is done as their way allows; none takes a shortcut around the page. */
export class Visitor {
  constructor(readonly page: Page, readonly way: Way) {}

  /** Goes to an address, as typed; every other step follows what the page offers. */
  async arrive(path: string): Promise<void> {
    await this.page.goto(path);
    await this.look();
  }

  /** Holds the page that is shown against its window's width, whatever was done last. */
  async look(): Promise<void> {
    const { width } = this.way;
    const wide = await this.page.evaluate(() => document.documentElement.scrollWidth);
    assert(wide <= width, `${this.page.url()} is ${wide} px wide in a window of ${width} px`);
  }

  /** Presses a link or button. */
  async press(target: Locator): Promise<void> {
    if (!this.way.keyboard) return await target.click();
    await this.reach(target);
    await this.page.keyboard.press("Enter");
  }

  /** Presses what leads to another page, and looks at it. */
  async follow(target: Locator, to: string | RegExp | ((url: URL) => boolean)): Promise<void> {
    await this.press(target);
    await this.page.waitForURL(to);
    await this.look();
  }

  /** Sends a form whose answer is shown at its own address or another. */
  async send(button: Locator): Promise<void> {
    // Until its styles are there, a page shows no focus of its own.
    const answered = this.page.waitForEvent("load");
    await this.press(button);
    await answered;
    await this.look();
  }

  /** Types into a field, in place of what is there. */
  async type(field: Locator, text: string): Promise<void> {
    if (!this.way.keyboard) return await field.fill(text);
    await this.reach(field);
    await this.page.keyboard.press("ControlOrMeta+A");
    await this.page.keyboard.type(text);
  }

  /** Puts what was copied last into a field. */
  async paste(field: Locator): Promise<void> {
    if (this.way.keyboard) await this.reach(field);
    else await field.click();
    await this.page.keyboard.press("ControlOrMeta+V");
  }

  /** Chooses from a list by the value of the choice. */
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

  /** Ticks a box, or takes one of a group of radio buttons. */
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

  /** Copies a snippet: by its button where script runs, else by selecting its text. Gives what was copied. */
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

  /** Presses Tab until the focus is on one of the targets, which must then be seen to have it. */
  private async reach(target: Locator): Promise<void> {
    const targets = await target.elementHandles();
    assert(targets.length > 0, `${this.page.url()} has no ${target}`);
    for (let i = 0; i <= MOST_STOPS; i++) {
      const isThere = await this.page.evaluate(
        (targets) => targets.includes(document.activeElement as HTMLElement),
        targets,
      );
      if (isThere) return await this.seeFocus();
      await this.page.keyboard.press("Tab");
    }
    throw new Error(`Tab never reaches ${target} on ${this.page.url()}`);
  }

  /** What has the focus is drawn, marked, and not under something else (WCAG 2.4.7, 2.4.11). */
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
