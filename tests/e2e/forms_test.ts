import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Route } from "playwright-core";
import { siteThemes } from "@/lib/catalog/themes.ts";
import { delay } from "@/lib/clock.ts";
import { testSite } from "../support/site.ts";

const site = await testSite({ listings: 6 });
Deno.test.afterAll(async () => await site[Symbol.asyncDispose]());
const [slug] = site.slugs;

for (const script of [true, false]) {
  const how = script ? "with script" : "without script";

  Deno.test(`a maker submits a project, gets the edit key and edits the project, ${how}`, async () => {
    await using page = await site.visit({ script });
    await page.goto("/submit?name=Prefilled");
    assertEquals(await page.inputValue("#name"), "Prefilled");
    await page.fill("#name", `Maker ${how}`);
    await page.fill("#url", `https://${script ? "with" : "without"}.example.org/start`);
    await page.fill("#tagline", "It makes <b>things</b> & more");
    await page.fill("#tags", "C++, fine");
    await page.click("summary");
    await page.check(`input[value="claude-code"]`);
    await page.check(`input[value="#684CFF"]`);
    await page.getByRole("button", { name: "Submit project" }).click();

    assertStringIncludes(await page.locator(".problems").innerText(), "Tags");
    assertStringIncludes(await page.locator("#tags-problem").innerText(), "lowercase");
    assertEquals(await page.inputValue("#tagline"), "It makes <b>things</b> & more");
    assert(await page.isChecked(`input[value="claude-code"]`));
    await page.fill("#tags", "fine, good");
    await page.getByRole("button", { name: "Submit project" }).click();

    const editKey = await page.inputValue(".edit-key textarea");
    assertMatch(editKey, /^pik_[\w-]{43}$/);
    const copy = page.locator(".edit-key button[data-copy]");
    if (script) await copy.waitFor();
    assertEquals(await copy.isVisible(), script);
    if (script) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await copy.click();
      assertEquals(await page.evaluate(() => navigator.clipboard.readText()), editKey);
      assertEquals(await copy.innerText(), "Copied");
    }
    assertEquals(new URL(page.url()).search, "");
    await page.click("main .brief a");
    assertEquals(await page.locator("h1").innerText(), `Maker ${how}`);
    assertStringIncludes(await page.locator(".lead").innerText(), "<b>things</b>");
    assertEquals((await page.content()).includes("pik_"), false);

    await page.click(`main a:text-is("Edit")`);
    await page.fill("#tagline", "Changed");
    await page.fill("#editKey", "pik_wrong");
    await page.getByRole("button", { name: "Save" }).click();
    assertStringIncludes(await page.locator("#editKey-problem").innerText(), "Edit key");
    assertEquals(await page.inputValue("#tagline"), "Changed");
    await page.fill("#editKey", editKey);
    await page.fill("#description", "Two\nlines");
    assert(await page.isChecked(`[name="accent"][value="#684CFF"]`));
    await page.check(`[name="accent"][value=""]`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForSelector(`#saved:focus:has-text("Saved.")`);
    if (script) await page.waitForURL(/\/p\/[^#]+$/);
    assertEquals(await page.getAttribute(".listing-head .tile", "class"), "tile large");
    assertEquals(await page.locator("main .lead").innerText(), "Changed");
    assertEquals(await page.locator(".description").innerText(), "Two\nlines");
    await page.goto(new URL(page.url()).pathname);
    await page.reload();
    assertEquals(await page.isVisible("#saved"), false);
  });

  Deno.test(`a theme persists across pages and reloads, ${how}`, async () => {
    await using page = await site.visit({ script });
    const theme = () => page.getAttribute("html", "data-theme");
    for (const path of ["/", "/about?x=1"]) {
      await page.goto(path);
      const id = path === "/" ? "amber" : "tide";
      const kept = page.waitForResponse(/\/theme$/);
      await page.click("#theme-switch");
      await page.click(`.themes button[value="${id}"]`);
      await (await kept).finished();
      await page.waitForSelector(`html[data-theme="${id}"]`);
      const { bg } = siteThemes.find((theme) => theme.id === id)!.palette;
      assertEquals(await page.getAttribute("meta[name=theme-color]", "content"), bg);
      assertEquals(new URL(page.url()).pathname + new URL(page.url()).search, path);
      assertEquals(await page.getAttribute(`.themes [value="${id}"]`, "aria-pressed"), "true");
      // Until its stylesheet is loaded, the browser does not go to the fragment.
      await page.waitForLoadState();
      await page.keyboard.press("Tab");
      const next = await page.evaluate(() => document.activeElement!.closest(".bar") !== null);
      assert(next, "the keyboard focus continues where it was");
      await page.reload();
      assertEquals(await theme(), id);
    }
    await page.goto("/projects");
    assertEquals(await theme(), "tide");
    const scheme = await page.evaluate(() =>
      getComputedStyle(document.documentElement).colorScheme
    );
    assertEquals(scheme, "dark");
  });
}

Deno.test("a vote survives a reload and can be removed", async () => {
  await using page = await site.visit({ name: "voter" });
  const before = site.app.deps.catalogue.get(slug!)!.votes;
  await page.goto(`/p/${slug}`);
  const button = page.locator(".listing-head .vote button");
  const count = async () => Number(await button.locator(".count").innerText());
  const pressed = () => button.getAttribute("aria-pressed");
  assertEquals([await count(), await pressed()], [before, "false"]);
  const press = async () => {
    const answered = page.waitForResponse(/\/vote$/);
    await button.click();
    await (await answered).finished();
  };
  await press();
  await page.waitForSelector(`.listing-head .vote button[aria-pressed="true"]`);
  assertEquals(await count(), before + 1);
  const { name } = site.app.deps.catalogue.get(slug!)!;
  const said = (words: string) =>
    page.waitForSelector(`.listing-head [role="status"]:text-is("${words}")`, {
      state: "attached",
    });
  await said(`You upvoted ${name}`);
  await page.reload();
  assertEquals([await count(), await pressed()], [before + 1, "true"]);

  // Lists are the same for everyone; the buttons request the caller's votes.
  await page.goto("/projects");
  await page.waitForSelector(`form[action="/p/${slug}/vote"] [aria-pressed="true"]`);
  await page.goto(`/p/${slug}`);
  await press();
  await page.waitForSelector(`.listing-head .vote button[aria-pressed="false"]`);
  await said(`You took back your vote for ${name}`);
  assertEquals(await count(), before);
  assertEquals(site.app.deps.catalogue.get(slug!)!.votes, before);
});

Deno.test("a double-clicked Submit button still shows the edit key", async () => {
  await using page = await site.visit();
  await page.goto("/submit");
  await page.fill("#name", "Pressed twice");
  await page.fill("#url", "https://twice.example.org/");
  await page.fill("#tagline", "By a hand that is used to double clicks");
  // A slow network, so that the second press comes before the first response.
  await page.route("**/submit", async (route) => {
    const response = await route.fetch();
    await delay(300);
    await route.fulfill({ response });
  });
  await page.evaluate(() => {
    const button = document.querySelector<HTMLElement>("main form button")!;
    button.click();
    setTimeout(() => button.click(), 100);
  });
  assertMatch(await page.inputValue(".edit-key textarea"), /^pik_/);
});

Deno.test("going back to a page applies the theme chosen since", async () => {
  await using page = await site.visit();
  await page.goto("/projects", { waitUntil: "networkidle" });
  // As if on another page, while the browser keeps this one as it was.
  const chosen = await page.evaluate(() =>
    fetch("/theme", { method: "POST", body: new URLSearchParams({ theme: "amber" }) })
      .then((response) => response.ok)
  );
  assert(chosen);
  await page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))
  );
  await page.waitForSelector(`html[data-theme="amber"]`);
  assertEquals(await page.getAttribute(`.themes [value="amber"]`, "aria-pressed"), "true");
});

Deno.test("going back to a list shows and counts a vote cast or taken back since", async () => {
  await using page = await site.visit({ name: "back" });
  const before = site.app.deps.catalogue.get(slug!)!.votes;
  const shown = async ({ pressed }: { pressed: boolean }) => {
    const button = page.locator(`form[action="/p/${slug}/vote"] button`).first();
    await page.waitForSelector(`form[action="/p/${slug}/vote"] [aria-pressed="${pressed}"]`);
    return Number(await button.locator(".count").innerText());
  };
  const elsewhere = (method: "POST" | "DELETE") =>
    page.evaluate(
      ([method, slug]) => fetch(`/api/v1/projects/${slug}/vote`, { method }).then((r) => r.ok),
      [method, slug],
    );
  const restore = () =>
    page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));

  // A browser that caches the page itself restores it as it was.
  await page.goto("/projects", { waitUntil: "networkidle" });
  assert(await elsewhere("POST"));
  await restore();
  assertEquals(await shown({ pressed: true }), before + 1);
  assert(await elsewhere("DELETE"));
  await restore();
  assertEquals(await shown({ pressed: false }), before);

  // One that caches only the response renders the page again.
  await page.goto("/projects?sort=new", { waitUntil: "networkidle" });
  await page.goto("/about");
  assert(await elsewhere("POST"));
  await page.goBack();
  assertEquals(await shown({ pressed: true }), before + 1);
});

Deno.test("a vote cast while a list asks for its states stays shown", async () => {
  await using page = await site.visit({ name: "early" });
  const read = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  const answerLate = async (route: Route) => {
    const response = await route.fetch();
    read.resolve();
    await sent.promise;
    await route.fulfill({ response });
  };
  // Only the first time: the button asks again after the click.
  await page.route("**/votes?*", answerLate, { times: 1 });
  await page.goto("/projects");
  await read.promise;
  const form = page.locator(`form[action="/p/${slug}/vote"]`).first();
  await form.locator("button").click();
  await form.getByText("You upvoted").waitFor();
  const votes = await form.locator(".count").innerText();
  const late = page.waitForResponse(/\/votes\?/);
  sent.resolve();
  await (await late).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assertEquals(await form.locator("button").getAttribute("aria-pressed"), "true");
  assertEquals(await form.locator(".count").innerText(), votes);
});

Deno.test("a vote not yet answered stays shown when the list asks for its states", async () => {
  await using page = await site.visit({ name: "slow vote" });
  await page.goto("/projects", { waitUntil: "networkidle" });
  const checked = Promise.withResolvers<void>();
  await page.route("**/api/v1/**", async (route) => {
    await checked.promise;
    await route.continue();
  });
  const form = page.locator(`form[action="/p/${slug}/vote"]`).first();
  const before = Number(await form.locator(".count").innerText());
  await form.locator("button").click();
  const asked = page.waitForResponse(/\/votes\?/);
  await page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))
  );
  await (await asked).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assertEquals(await form.locator("button").getAttribute("aria-pressed"), "true");
  assertEquals(Number(await form.locator(".count").innerText()), before + 1);
  checked.resolve();
  await form.getByText("You upvoted").waitFor();
  assertEquals(Number(await form.locator(".count").innerText()), before + 1);
});

Deno.test("a project named Constructor isn't shown as voted for", async () => {
  const json = { name: "Constructor", url: "https://constructor.example.org", tagline: "Builds" };
  assertEquals(
    (await site.app.json("/api/v1/projects", { json })).body.project.slug,
    "constructor",
  );
  await using page = await site.visit();
  const asked = page.waitForResponse(/\/votes\?/);
  await page.goto("/projects?sort=new");
  await (await asked).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const button = page.locator(`form[action="/p/constructor/vote"] button`);
  assertEquals(await button.getAttribute("aria-pressed"), "false");
  assertEquals(await button.innerText(), "▲\n0");
});

Deno.test("going back to a form restores what was typed", async () => {
  await using page = await site.visit();
  const forms = [
    ["/submit", "#name"],
    ["/submit", "#contactEmail"],
    ["/skills/submit", "#title"],
    [`/p/${slug}/report`, "#note"],
  ];
  for (const [path, field] of forms) {
    const response = await page.goto(path!);
    // Browsers don't restore input on an HTTPS page that is no-store.
    assertEquals(response!.headers()["cache-control"]!.includes("no-store"), false, path);
    for (const folded of await page.locator("form details:not([open]) summary").all()) {
      await folded.click();
    }
    await page.fill(field!, "typed with care");
    await page.goto("/terms");
    await page.goBack();
    assertEquals(await page.inputValue(field!), "typed with care", `${path} ${field}`);
  }
  // Where an edit key is typed, browsers must not store anything.
  for (const path of [`/p/${slug}/edit`, `/p/${slug}/billing`]) {
    const response = await page.goto(path);
    assertEquals(response!.headers()["cache-control"], "private, no-store", path);
  }
});

Deno.test("a truncated response for the visitor's votes causes no script error", async () => {
  await using page = await site.visit();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.route("**/votes?*", (route) => route.fulfill({ body: `{"voted":` }));
  const asked = page.waitForResponse(/\/votes\?/);
  await page.goto("/projects");
  await (await asked).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assertEquals(errors, []);
});

Deno.test("a failed vote is reverted with a message and doesn't move any button", async () => {
  await using page = await site.visit({ name: "offline" });
  await page.goto(`/p/${slug}`);
  const before = await page.locator(".listing-head .count").innerText();
  await page.route("**/api/v1/**", (route) => route.abort());
  const places = async (selector: string) =>
    await page.locator(selector).evaluateAll((all) =>
      all.map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
      })
    );
  const buttons = ".listing-actions :is(button, .button)";
  const still = await places(buttons);
  await page.click(".listing-head .vote button");
  await page.waitForSelector(".said:not(.quiet)");
  assertStringIncludes(await page.locator(".listing-head .said").innerText(), "Not counted");
  assertEquals(await page.locator(".listing-head .count").innerText(), before);
  assertEquals(await page.getAttribute(".listing-head .vote button", "aria-pressed"), "false");
  assertEquals(await places(buttons), still);

  const button = ".row .vote button";
  // A proxy's response while the server is down.
  await page.route(
    "**/api/v1/**",
    (route) => route.fulfill({ status: 502, body: "<html></html>" }),
  );
  await page.goto("/projects");
  const [first] = await places(button);
  await page.locator(button).first().click();
  await page.waitForSelector(".row .said:not(.quiet)");
  assertEquals(await page.locator(".row .said:not(.quiet)").innerText(), "Not counted: try again");
  assertEquals((await places(button))[0], first);
});

Deno.test("votes and themes update optimistically, aren't sent twice, and are reverted if refused", async () => {
  await using page = await site.visit({ name: "quick" });
  await page.goto(`/p/${slug}`);
  const button = page.locator(".listing-head .vote button");
  const shown = () =>
    button.evaluate((button) => [button.ariaPressed, button.querySelector(".count")!.textContent]);
  const [, before] = await shown();
  const answer = Promise.withResolvers<void>();
  let sent = 0;
  await page.route("**/vote", async (route) => {
    sent++;
    await answer.promise;
    await route.continue();
  });
  const asked = page.waitForRequest("**/vote");
  await button.click();
  const voted = ["true", String(Number(before) + 1)];
  await page.waitForSelector(`.listing-head [aria-pressed="true"]`);
  assertEquals(await shown(), voted);
  await asked;
  await button.click();
  assertEquals(await shown(), voted);
  answer.resolve();
  await page.waitForSelector(`.listing-head [role="status"]:text("You upvoted")`, {
    state: "attached",
  });
  assertEquals([await shown(), sent], [voted, 1]);

  await page.unrouteAll();
  const others = { ok: true, slug, votes: 41, voted: false, changed: true };
  await page.route("**/vote", (route) => route.fulfill({ json: others }));
  await button.click();
  await page.waitForSelector(`.listing-head [role="status"]:text("You took back")`, {
    state: "attached",
  });
  assertEquals(await shown(), ["false", "41"], "what the server counts is shown");
  await page.unrouteAll();
  const theme = () => page.getAttribute("html", "data-theme");
  const kept = page.waitForResponse(/\/theme$/);
  await page.click("#theme-switch");
  await page.click(`.themes button[value="amber"]`);
  assertEquals(await theme(), "amber");
  await kept;
  for (const refuse of [{ status: 503 }, null]) {
    await page.unroute("**/theme");
    await page.route("**/theme", (route) => refuse ? route.fulfill(refuse) : route.abort());
    await page.click(`.themes button[value="tide"]`);
    await page.waitForSelector(`html[data-theme="amber"]`);
    assertEquals(await page.getAttribute(`.themes [value="amber"]`, "aria-pressed"), "true");
  }
  assertEquals(await page.evaluate(() => performance.getEntriesByType("navigation").length), 1);
  assertEquals(await page.evaluate(() => history.length), 2, "no page was added");
});

Deno.test("the skip link is the first stop by keyboard, and skips to the content", async () => {
  await using page = await site.visit();
  await page.goto("/");
  await page.keyboard.press("Tab");
  assertEquals(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#main$/);
});

Deno.test("keyboard users can skip the home page's paid spots with a link that shows only on focus", async () => {
  await using page = await site.visit({ script: false });
  await page.goto("/");
  const skip = page.locator(`.skip[href="#hot"]`);
  const isSeen = () =>
    skip.evaluate((link) => {
      const { x, y, width, height } = link.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === link;
    });
  assertEquals(await isSeen(), false);
  await page.locator(".masthead button").last().focus();
  await page.keyboard.press("Tab");
  assert(await skip.evaluate((link) => link === document.activeElement));
  assert(await isSeen());
  await page.keyboard.press("Enter");
  await page.waitForURL(/#hot$/);
  await page.keyboard.press("Tab");
  const section = await page.evaluate(() =>
    document.activeElement!.closest("section")!.getAttribute("aria-labelledby")
  );
  assertEquals(section, "hot");
});

Deno.test("voting without script returns to the entry's row in the list", async () => {
  await using page = await site.visit({ script: false, width: 360, name: "back to the row" });
  for (const path of ["/", "/projects?sort=new", "/skills"]) {
    await page.goto(path);
    const rows = page.locator(".rows .row");
    const row = rows.nth(await rows.count() - 1);
    const id = (await row.getAttribute("id"))!;
    const count = async () => Number(await page.locator(`#${id} .count`).innerText());
    const before = await count();
    await row.locator(".vote button").click();
    await page.waitForURL(`**${path}#${id}`);
    assertEquals(await count(), before + 1, path);
    const { y, height } = (await page.locator(`#${id}`).boundingBox())!;
    assert(y >= 0 && y + height <= 900, `${path}: the row is at ${y}`);
  }
});

Deno.test("/ focuses the search field, and is typed as text inside a field", async () => {
  await using page = await site.visit();
  for (
    const [path, width, id] of [["/projects", 1280, "q"], [`/p/${slug}`, 1280, "search"], [
      `/p/${slug}`,
      360,
      "search",
    ]] as const
  ) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(path, { waitUntil: "networkidle" });
    await page.keyboard.press("/");
    await page.keyboard.type("a/b");
    assertEquals(
      await page.evaluate(() => {
        const { id, value } = document.activeElement as HTMLInputElement;
        return [id, value];
      }),
      [id, "a/b"],
    );
  }
});

Deno.test("the ticker stops with reduced motion or its Pause button, and focus reveals its links", async () => {
  await using still = await site.visit({ reducedMotion: true });
  await still.goto("/");
  const animation = (page: typeof still) =>
    page.evaluate(() => {
      const style = getComputedStyle(document.querySelector(".ticker-track")!);
      return `${style.animationName} ${style.animationPlayState}`;
    });
  assertStringIncludes(await animation(still), "none");
  await using moving = await site.visit({ script: false });
  await moving.goto("/");
  assertEquals(await animation(moving), "ticker running");
  const [window, line, copy] = await moving.evaluate(() =>
    [".ticker-window", ".ticker-line", ".ticker-line[aria-hidden]"].map((part) =>
      document.querySelector<HTMLElement>(part)!.offsetWidth
    )
  );
  assert(line! >= window! && line === copy, "no gap is seen before the line starts again");
  await moving.click("text=Pause");
  await moving.mouse.move(0, 0);
  assertEquals(await animation(moving), "ticker paused");
  await moving.click("text=Pause");
  // However far the ticker has moved, keyboard focus reaches its links where they are visible.
  await moving.waitForTimeout(1_500);
  await moving.keyboard.press("Tab");
  await moving.keyboard.press("Tab");
  const link = await moving.locator(".ticker-line a").first().boundingBox();
  const shown = await moving.locator(".ticker-window").boundingBox();
  assertEquals(
    await moving.evaluate(() => document.activeElement!.closest(".ticker-window") !== null),
    true,
  );
  assert(link!.x >= shown!.x && link!.x + link!.width <= shown!.x + shown!.width);
});

Deno.test("clicking a name in the ticker opens that project, however far the ticker has scrolled", async () => {
  await using page = await site.visit({ script: false });
  await page.goto("/");
  await page.evaluate(() => {
    const [moves] = document.querySelector(".ticker-track")!.getAnimations();
    moves!.currentTime = 40_000;
  });
  const shown = (await page.locator(".ticker-window").boundingBox())!;
  // The pointer pauses the strip before it moves to a name.
  await page.mouse.move(shown.x + shown.width / 2, shown.y + shown.height / 2);
  const link = page.locator(".ticker-line[aria-hidden] a").first();
  const { x, y, width, height } = (await link.boundingBox())!;
  assert(x > shown.x && x + width < shown.x + shown.width);
  const path = (await link.getAttribute("href"))!;
  await page.mouse.click(x + width / 2, y + height / 2);
  await page.waitForURL(`**${path}`);
});

Deno.test("the countdown follows the server's clock, and shows the time left without script", async () => {
  const path = (await site.app.json("/api/v1/auctions")).body.open[0].page;
  await using plain = await site.visit({ script: false });
  await plain.goto(path);
  const written = await plain.locator(".countdown").innerText();
  assertMatch(written, /^in (\d+ d )?(\d+ h )?\d+ min$/);
  await using page = await site.visit();
  await page.goto(path);
  await page.waitForFunction(
    (written) => document.querySelector(".countdown")!.textContent !== written,
    written,
  );
  const days = /^in (\d+) d/;
  const counted = await page.locator(".countdown").innerText();
  assertMatch(counted, /^in (\d+ d )?\d+ h \d+ min/);
  assertEquals(days.exec(counted)?.[1], days.exec(written)?.[1]);
});

Deno.test("submitting opens the folded part of a form that contains an error", async () => {
  await using page = await site.visit();
  await page.goto("/submit");
  for (
    const [id, text] of [["name", "Folded"], ["url", "https://folded.example.org"], [
      "tagline",
      "T",
    ]]
  ) {
    await page.fill(`#${id}`, text!);
  }
  await page.click("summary");
  await page.fill("#contactEmail", "nobody");
  await page.click("summary");
  await page.getByRole("button", { name: "Submit project" }).click();
  assert(await page.isVisible("#contactEmail"));
  assertEquals(await page.evaluate(() => document.activeElement?.id), "contactEmail");
});
