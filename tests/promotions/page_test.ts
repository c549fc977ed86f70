import { assertEquals, assertStringIncludes } from "@std/assert";
import { TIERS } from "@/lib/catalog/tiers.ts";
import { testApp } from "../support/app.ts";
import { paidApp } from "../support/payments.ts";

const headers = { accept: "text/html" };

Deno.test("each tier of the page of promotions leads to its order, for the project that was named", async () => {
  await using app = await paidApp();
  const page = async (path: string) => await (await app.request(path, { headers })).text();
  const chosen = [...(await page("/promote?slug=anvil")).matchAll(/href="([^"]*#order)"/g)]
    .map(([, href]) => href!.replaceAll("&amp;", "&"));
  assertEquals(chosen, TIERS.map(({ id }) => `/promote?slug=anvil&tierId=${id}#order`));
  for (const [i, { id }] of TIERS.entries()) {
    const order = await page(chosen[i]!.replace("#order", ""));
    assertStringIncludes(order, '<h2 id="order">');
    const [checked = ""] = /<input [^>]*type="radio"[^>]*checked[^>]*>/.exec(order) ?? [];
    assertStringIncludes(checked, `value="${id}"`);
  }
});

Deno.test("the page of promotions leads to no order where none can be paid", async () => {
  await using app = await testApp();
  const page = await (await app.request("/promote", { headers })).text();
  assertStringIncludes(page, "Promotions are not for sale");
  assertEquals(page.includes("#order"), false);
});
