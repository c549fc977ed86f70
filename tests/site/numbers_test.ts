import { assertEquals, assertMatch } from "@std/assert";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";

Deno.test("a count above a thousand is formatted the same wherever it is shown", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  app.deps.catalogue.count(slug, () => ({ votes: 1001 }));
  app.clock.advance(2000);
  for (
    const path of [
      "/",
      "/projects",
      `/p/${slug}`,
      "/ranking",
      "/about",
      `/api/v1/projects/${slug}/badge.svg`,
    ]
  ) {
    const html = (await app.text(path)).replaceAll(/&quot;votes&quot;:1001|"votes":1001/g, "");
    assertMatch(html, /\b1,001\b/, path);
    assertEquals(html.match(/.{40}\b1001\b/g), null, path);
  }
});
