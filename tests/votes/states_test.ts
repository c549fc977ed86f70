import { assertEquals } from "@std/assert";
import { testApp } from "../support/app.ts";
import { addressOf, submit } from "../support/listings.ts";

Deno.test("GET /votes says for each entry if the caller voted and how many votes it has; an unknown entry has none", async () => {
  await using app = await testApp();
  const { slug } = (await submit(app)).project;
  const other = (await submit(app, { url: "https://other.example" })).project.slug;
  for (const n of [1, 2]) {
    await app.json(`/api/v1/projects/${slug}/vote`, { method: "POST", address: addressOf(n) });
  }
  const path = `/votes?listing=${slug}&listing=${other}&listing=unknown&skill=unknown`;
  const { status, body } = await app.json(path, { address: addressOf(1) });
  assertEquals(status, 200);
  assertEquals(body, {
    ok: true,
    listing: {
      [slug]: { votes: 2, voted: true },
      [other]: { votes: 0, voted: false },
      unknown: { voted: false },
    },
    skill: { unknown: { voted: false } },
  });
  assertEquals((await app.json(path, { address: addressOf(3) })).body.listing[slug], {
    votes: 2,
    voted: false,
  });
});
