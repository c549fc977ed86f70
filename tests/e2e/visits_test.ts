import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { AUCTION_ID, type PaidApp, paidApp } from "../support/payments.ts";
import { testSite } from "../support/site.ts";
import { Visitor, WAYS } from "../support/visitor.ts";

const site = await testSite({ listings: 12, makeApp: paidApp });
Deno.test.afterAll(async () => await site[Symbol.asyncDispose]());
const app = site.app as PaidApp;

for (const [i, way] of WAYS.entries()) {
  Deno.test(`a maker searches, submits, copies the badge, edits and promotes, ${way.name}`, async () => {
    await using page = await site.visit({ ...way, name: `maker ${i}` });
    const maker = new Visitor(page, way);
    const main = page.locator("main");
    const link = (name: string | RegExp) => main.getByRole("link", { name, exact: true }).first();
    const name = `Paper boat ${i}`;
    let reachedProvider = "";
    await page.context().route("https://checkout.stripe.com/**", async (route) => {
      reachedProvider = route.request().url();
      await route.fulfill({ contentType: "text/html", body: "<!doctype html><h1>Pay</h1>" });
    });

    await maker.arrive("/");
    await maker.follow(page.getByRole("link", { name: "Projects" }).first(), "**/projects");
    await maker.type(page.locator("#q"), "framework");
    await maker.follow(page.getByRole("button", { name: "Search" }), /q=framework/);
    assertStringIncludes(await page.locator("h1").innerText(), "framework");
    assertMatch(await page.locator(".tally").innerText(), /^[1-9]/);
    await maker.follow(page.getByRole("link", { name: "Submit a project" }).first(), "**/submit");

    await maker.type(page.locator("#name"), name);
    await maker.type(page.locator("#url"), `https://boat-${i}.example.org`);
    await maker.type(page.locator("#tagline"), "Folds, floats, and is gone by noon");
    await maker.type(page.locator("#description"), "One sheet. No glue.");
    await maker.choose(page.locator("#category"), "design");
    await maker.type(page.locator("#tags"), "paper, boats");
    assertEquals(await page.locator("#repoUrl").isVisible(), false);
    await maker.press(page.locator("summary"));
    await maker.tick(page.locator(`[name="builtWith"][value="human"]`));
    await maker.tick(page.locator(`[name="accent"][value="#FF5A1F"]`));
    await maker.send(page.getByRole("button", { name: "Submit project" }));

    await maker.press(page.locator("#badge summary"));
    const badge = await maker.copy(page.locator("#badge .snippet").first());
    const slug = `paper-boat-${i}`;
    assertStringIncludes(badge, `(${site.base}/p/${slug})`);
    const editKey = await maker.copy(page.locator(".edit-key .snippet"));
    assertMatch(editKey, /^pik_[\w-]{43}$/);

    await maker.follow(link(name), `**/p/${slug}`);
    assertEquals(await page.locator("h1").innerText(), name);
    assertEquals(await page.locator("#badge textarea").first().inputValue(), badge);
    await maker.follow(page.locator(".wordmark"), `${site.base}/`);
    await maker.follow(link(name), `**/p/${slug}`);

    await maker.follow(link("Edit"), `**/p/${slug}/edit`);
    await maker.paste(page.locator("#editKey"));
    assertEquals(await page.inputValue("#editKey"), editKey);
    await maker.type(page.locator("#tagline"), "Folds, floats, and comes back");
    await maker.follow(
      page.getByRole("button", { name: "Save" }),
      new RegExp(`/p/${slug}(#saved)?$`),
    );
    assertEquals(await main.locator(".lead").innerText(), "Folds, floats, and comes back");

    await maker.follow(link("Promote"), `**/promote?slug=${slug}`);
    await maker.tick(page.locator(`[name="tierId"][value="boost-7"]`));
    await maker.send(page.getByRole("button", { name: "Review order" }));
    assertStringIncludes(await page.locator(".panel").innerText(), "$9.58");
    await maker.press(link(/^Pay \$9\.58/));
    await page.waitForURL("https://checkout.stripe.com/**");
    app.stripe.pay(app.sessionOf(reachedProvider));
    await app.deliverAll();

    await maker.arrive(`/checkout/paid?slug=${slug}`);
    await maker.follow(link("See the project"), `**/p/${slug}`);
    assertStringIncludes(await page.locator(".labels").innerText(), "Promoted");
  });

  Deno.test(`a visitor browses, searches, votes, switches themes and votes in the poll, ${way.name}`, async () => {
    await using page = await site.visit({ ...way, name: `reader ${i}` });
    const reader = new Visitor(page, way);
    const show = page.getByRole("button", { name: "Search" });

    await reader.arrive("/");
    await reader.follow(page.getByRole("link", { name: "Projects" }).first(), "**/projects");
    const orders = page.getByRole("navigation", { name: "Order" });
    await reader.follow(orders.getByRole("link", { name: "New" }), "**/projects?sort=new");
    const folded = page.locator(".filters summary");
    if (await folded.isVisible()) await reader.press(folded);
    await reader.choose(page.locator("#tool"), "claude-code");
    await reader.follow(show, /sort=new.*tool=claude-code/);
    assertStringIncludes(await page.locator("h1").innerText(), "built with Claude Code");
    await reader.type(page.locator("#q"), "zzyzx");
    await reader.follow(show, /q=zzyzx/);
    assertStringIncludes(await page.locator(".empty").innerText(), "No projects match");
    await reader.follow(page.locator(".empty a").first(), "**/projects");
    const { name, slug, votes } = site.app.deps.catalogue.get(site.slugs[3]!)!;
    await reader.type(page.locator("#q"), name);
    await reader.follow(show, (url) => url.searchParams.get("q") === name);
    await reader.follow(page.getByRole("link", { name, exact: true }), `**/p/${slug}`);

    const vote = page.locator(".listing-head .vote button");
    await reader.press(vote);
    await page.waitForSelector(`.listing-head [aria-pressed="true"]`);
    assertEquals(await vote.locator(".count").innerText(), String(votes + 1));
    await reader.look();

    // In a narrow window, the sections and themes are in a menu.
    const pressIfShown = async (name: string) => {
      const button = page.getByRole("button", { name, exact: true });
      if (await button.isVisible()) await reader.press(button);
    };
    await pressIfShown("Menu");
    await pressIfShown("Theme");
    const themes = page.getByRole("group", { name: "Theme" });
    await reader.press(themes.getByRole("button", { name: "Tide" }));
    await page.waitForSelector(`html[data-theme="tide"]`);
    await page.waitForLoadState("networkidle");
    assertEquals(new URL(page.url()).pathname, `/p/${slug}`);
    await reader.look();

    // With a script, the theme changed without a new page, so the menu is still open.
    const poll = page.getByRole("link", { name: "AI poll" }).first();
    if (!await poll.isVisible()) await pressIfShown("Menu");
    await reader.follow(poll, "**/poll");
    assertEquals(await page.getAttribute("html", "data-theme"), "tide");
    await reader.choose(page.locator("#candidate"), "other");
    await reader.type(page.locator("#writeIn"), `Marvin ${i}`);
    await reader.type(page.locator("#reason"), "It sighs in full sentences");
    await reader.send(page.getByRole("button", { name: "Vote", exact: true }));
    assertStringIncludes(await page.locator(".ballot").innerText(), `You voted for Marvin ${i}`);
    assertStringIncludes(await page.locator("table.poll").innerText(), `Marvin ${i}`);
  });
}

Deno.test("a low bid shows an error at its field, and a paid bid shows in the history", async () => {
  await using page = await site.visit({ script: false });
  const [, , slug] = site.slugs;
  await page.goto(`/auctions/${AUCTION_ID}?slug=${slug}`);
  await page.fill("#amount", "3");
  await page.getByRole("button", { name: "Review bid" }).click();
  assertEquals(await page.getAttribute("#amount", "aria-invalid"), "true");
  assertEquals(await page.inputValue("#slug"), slug);
  await page.fill("#amount", "12.50");
  await page.getByRole("button", { name: "Review bid" }).click();
  const link = await page.locator(".panel").getByRole("link").getAttribute("href");
  app.stripe.pay(app.sessionOf(link!));
  await app.deliverAll();
  await page.goto(`/auctions/${AUCTION_ID}`);
  assertStringIncludes(await page.locator("main").innerText(), "$12.50");
  assertEquals(await page.getByRole("heading", { name: "Bid history" }).isVisible(), true);
});
