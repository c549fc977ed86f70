import { assertEquals, assertStringIncludes } from "@std/assert";
import { TIERS } from "@/lib/catalog/tiers.ts";
import { testApp } from "../support/app.ts";
import { paidApp } from "../support/payments.ts";

Deno.test("/promote offers each tier once and preselects the project and tier from its URL", async () => {
  await using app = await paidApp();
  for (const { id } of TIERS) {
    const html = await app.text(`/promote?slug=anvil&tierId=${id}`);
    const radios = [...html.matchAll(/<input [^>]*type="radio"[^>]*>/g)].map(([radio]) => radio);
    const valueOf = (radio: string) => /value="([^"]*)"/.exec(radio)![1];
    assertEquals(radios.map(valueOf), TIERS.map((tier) => tier.id));
    assertEquals(radios.filter((radio) => radio.includes(" checked")).map(valueOf), [id]);
    assertStringIncludes(html, 'value="anvil"');
  }
});

Deno.test("the Markdown of /promote describes each tier in sentences", async () => {
  await using app = await paidApp();
  const text = await app.text("/promote.md");
  assertStringIncludes(
    text,
    "`boost-7` (Boost $9.58 for 7 days, including a $0.58 fee. Everything in Bump, plus: A frame in " +
      "your project's accent color. A place under Promoted in llms.txt.)",
  );
});

Deno.test("/promote has no order form if payments aren't set up", async () => {
  await using app = await testApp();
  const page = await app.text("/promote");
  assertStringIncludes(page, "Promotions are not for sale");
  assertEquals(page.includes('type="radio"'), false);
});
