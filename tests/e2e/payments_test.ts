import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import axe from "axe-core/axe.min.js";
import { AUCTION_ID, type PaidApp, paidApp } from "../support/payments.ts";
import { testSite } from "../support/site.ts";

const site = await testSite({ listings: 4, makeApp: paidApp });
Deno.test.afterAll(async () => await site[Symbol.asyncDispose]());
const app = site.app as PaidApp;
const [, , slug] = site.slugs;

/** Triggers what follows a person's payment at the provider. */
async function pay(checkoutUrl: string): Promise<void> {
  app.stripe.pay(app.sessionOf(checkoutUrl));
  await app.deliverAll();
}

for (const script of [true, false]) {
  const how = script ? "with script" : "without script";
  const tier = script ? "boost-7" : "spotlight-30";

  Deno.test(`a maker orders a promotion, pays and sees the label, ${how}`, async () => {
    await using page = await site.visit({ script, width: script ? 1280 : 320 });
    await page.goto(`/p/${slug}`);
    await page.locator("main").getByRole("link", { name: "Promote", exact: true }).click();
    assertEquals(await page.inputValue("#slug"), slug);
    assertStringIncludes(await page.locator(".tiers").innerText(), "$9.58");
    await page.check(`input[value="${tier}"]`);
    await page.getByRole("button", { name: "Review order" }).click();
    const order = page.locator(".panel");
    assertStringIncludes(await order.innerText(), script ? "$9.58" : "$26.06");
    assertStringIncludes(await order.innerText(), "final");
    await page.evaluate(axe.source).catch(() => {});
    if (script) {
      // deno-lint-ignore no-explicit-any -- axe puts itself on the window
      const { violations } = await page.evaluate(() => (globalThis as any).axe.run());
      assertEquals(violations.map(({ id }: { id: string }) => id), []);
    }
    const link = await order.getByRole("link").getAttribute("href");
    assertEquals(new URL(link!).host, "checkout.stripe.com");
    const { cancel_url } = app.stripe.sessions.get(app.sessionOf(link!))!;
    await page.goto(cancel_url!);
    await page.getByRole("link", { name: "Back to promotions" }).click();
    assertEquals(await page.inputValue("#slug"), slug);
    assert(await page.isChecked(`input[value="${tier}"]`));
    await pay(link!);
    await page.goto(`/checkout/paid?slug=${slug}`);
    assertStringIncludes(await page.locator("main").innerText(), "promoted");
    await page.goto("/");
    assertStringIncludes(await page.locator("section:has(#promoted)").innerText(), "Promoted");
    await page.goto(`/p/${slug}`);
    assertStringIncludes(await page.locator(".labels").innerText(), "Promoted");
  });
}

Deno.test("a low bid shows an error at its field, and a paid bid shows in the history", async () => {
  await using page = await site.visit({ script: false });
  await page.goto(`/auctions/${AUCTION_ID}?slug=${slug}`);
  await page.fill("#amount", "3");
  await page.getByRole("button", { name: "Review bid" }).click();
  assertEquals(await page.getAttribute("#amount", "aria-invalid"), "true");
  assertEquals(await page.inputValue("#slug"), slug);
  await page.fill("#amount", "12.50");
  await page.getByRole("button", { name: "Review bid" }).click();
  const link = await page.locator(".panel").getByRole("link").getAttribute("href");
  await pay(link!);
  await page.goto(`/auctions/${AUCTION_ID}`);
  assertStringIncludes(await page.locator("main").innerText(), "$12.50");
  assertEquals(await page.getByRole("heading", { name: "Bid history" }).isVisible(), true);
});
