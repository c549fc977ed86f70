import { assertEquals } from "@std/assert";
import { testSite } from "../support/site.ts";

const site = await testSite({ listings: 6 });
Deno.test.afterAll(async () => await site[Symbol.asyncDispose]());

Deno.test("the name, the tagline and the facts of a listing in Arabic stand at the edges of their places", async () => {
  const { body } = await site.app.json("/api/v1/projects", {
    json: {
      name: "دفتر الملاحظات",
      url: "https://daftar.example.org",
      tagline: "دفتر ملاحظات هادئ",
      submittedBy: "ليلى",
    },
  });
  const page = await site.visit();
  await page.goto(`/p/${body.project.slug}`);
  const gaps = await page.evaluate(() =>
    [...document.querySelectorAll(`main :is(h1, .lead, dd)[dir="auto"]`)].map((node) => {
      const text = document.createRange();
      text.selectNodeContents(node);
      return Math.round(text.getBoundingClientRect().left - node.getBoundingClientRect().left);
    })
  );
  assertEquals(gaps, [0, 0, 0]);
});
