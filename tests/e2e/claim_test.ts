import { assertEquals } from "@std/assert";
import { WebDouble } from "../fetching/web_double.ts";
import { testSite } from "../support/site.ts";
import { MORE_WAYS, Visitor } from "../support/visitor.ts";

Deno.test("claiming a project works by keyboard, on a small screen and without JavaScript", async (t) => {
  await using web = new WebDouble();
  await using site = await testSite();
  site.app.deps.fetcher = web.fetcher;
  for (const [n, way] of MORE_WAYS.entries()) {
    await t.step(way.name, async () => {
      const json = { name: `Ink ${n}`, url: `http://ink-${n}.test`, tagline: "A notebook" };
      const { body } = await site.app.json("/api/v1/projects", { json, address: `203.0.113.${n}` });
      const page = await site.visit({ width: way.width, script: way.script, name: `Way ${n}` });
      const visitor = new Visitor(page, way);
      await visitor.arrive(`/p/${body.project.slug}`);
      await visitor.follow(page.getByRole("link", { name: "Claim it" }), /\/claim$/);
      await visitor.send(page.getByRole("button", { name: "Get a token" }));
      const record = page.getByLabel(`TXT record for _projectory.ink-${n}.test`, { exact: true });
      web.txt[`_projectory.ink-${n}.test`] = [[await record.inputValue()]];
      await visitor.send(page.getByRole("button", { name: "Check now" }));
      const heading = page.getByRole("heading", { level: 1 });
      assertEquals(await heading.textContent(), `You own Ink ${n}`);
      await visitor.follow(page.getByRole("link", { name: "See the project" }), /\/p\/ink-\d$/);
      assertEquals(await page.getByText(`ink-${n}.test, since`).count(), 1);
      await page.close();
    });
  }
});
