import { assertEquals } from "@std/assert";
import { sharedBrowser } from "../support/browser.ts";
import { handler } from "./site.ts";

Deno.test("islands hydrate independently in the browser, and leave the rest of the page as it is", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    handler,
  );
  await using shared = await sharedBrowser();
  await using page = await shared.browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${server.addr.port}/counter`);
  const before = await page.innerHTML("main");
  await page.waitForSelector(`button[data-live="true"]`, { timeout: 5000 });
  const labels = () => page.locator("button").allTextContents();
  assertEquals(await labels(), ["first </script>: 3", "second: 3", "0 clicks", "inner: 3"]);
  assertEquals(before.includes("kept"), true);

  await page.getByText("first").click();
  await page.getByText("inner").click();
  await page.locator("#frame").click();
  assertEquals(await labels(), ["first </script>: 4", "second: 3", "1 clicks", "inner: 4"]);
  assertEquals(await page.locator("h2").textContent(), "framed");
  assertEquals(await page.locator("p.kept").textContent(), "kept");
  assertEquals(await page.locator("button").count(), 4);
  assertEquals(problems, []);
});
