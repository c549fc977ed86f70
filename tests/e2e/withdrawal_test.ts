import { assertEquals } from "@std/assert";
import { testSite } from "../support/site.ts";
import { MORE_WAYS, Visitor } from "../support/visitor.ts";

Deno.test("resubmitting and withdrawing work by keyboard, on a small screen and without JavaScript", async (t) => {
  await using site = await testSite();
  for (const [n, way] of MORE_WAYS.entries()) {
    await t.step(way.name, async () => {
      const page = await site.visit({ width: way.width, script: way.script, name: `Way ${n}` });
      const visitor = new Visitor(page, way);
      await visitor.arrive("/submit");
      await visitor.type(page.getByLabel("Name", { exact: true }), `Inkwell ${n}`);
      await visitor.type(page.getByLabel("URL"), `https://inkwell-${n}.example.com`);
      await visitor.type(page.getByLabel("Tagline"), "A notebook that answers back");
      await visitor.send(page.getByRole("button", { name: "Submit project" }));
      const key = page.locator(".edit-key textarea");
      const editKey = await key.inputValue();
      await page.reload();
      assertEquals(await key.inputValue(), editKey);
      await visitor.follow(page.getByRole("link", { name: "the edit form" }), /\/edit$/);
      const withdraw = page.getByRole("link", { name: "Withdraw this project" });
      await visitor.follow(withdraw, /\/withdraw$/);
      await visitor.type(page.getByLabel("Edit key"), editKey);
      await visitor.send(page.getByRole("button", { name: "Withdraw project" }));
      const heading = page.getByRole("heading", { level: 1 });
      assertEquals(await heading.textContent(), `Inkwell ${n} was withdrawn`);
      const gone = await page.goto(`/p/inkwell-${n}`);
      assertEquals(gone!.status(), 404);
      await page.close();
    });
  }
});
