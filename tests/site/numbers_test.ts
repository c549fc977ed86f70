import { assertEquals, assertMatch } from "@std/assert";
import { testApp } from "../support/app.ts";
import { addressOf, submit } from "../support/listings.ts";

Deno.test("a count above a thousand is formatted the same wherever it is shown", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const vote = `/api/v1/projects/${slug}/vote`;
  for (let n = 0; n < 1001; n++) {
    const { status } = await app.json(vote, { method: "POST", address: addressOf(n) });
    assertEquals(status, 200);
  }
  app.clock.advance(2000);
  for (
    const path of [
      "/",
      "/projects",
      `/p/${slug}`,
      "/ranking",
      "/about",
      vote.replace("vote", "badge.svg"),
    ]
  ) {
    const html = (await app.text(path)).replaceAll(/&quot;votes&quot;:1001|"votes":1001/g, "");
    assertMatch(html, /\b1,001\b/, path);
    assertEquals(html.match(/.{40}\b1001\b/g), null, path);
  }
});
