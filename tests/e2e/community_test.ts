import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { listReports } from "@/lib/operator/reports.ts";
import { testSite } from "../support/site.ts";

const site = await testSite({ listings: 6 });
Deno.test.afterAll(async () => await site[Symbol.asyncDispose]());
const [slug] = site.slugs;

Deno.test("a visitor votes in the poll, fixes an error and changes the vote", async () => {
  await using page = await site.visit({ script: false });
  await page.goto("/poll");
  await page.selectOption("#candidate", "other");
  await page.fill("#reason", "Because <i>it</i> works");
  await page.getByRole("button", { name: "Vote", exact: true }).click();
  assertEquals(await page.getAttribute("#writeIn", "aria-invalid"), "true");
  assertStringIncludes(await page.locator("#writeIn-problem").innerText(), "Enter the AI's name");
  assertEquals(await page.inputValue("#candidate"), "other");
  await page.fill("#writeIn", "Marvin 2");
  await page.getByRole("button", { name: "Vote", exact: true }).click();
  assertStringIncludes(await page.locator(".ballot").innerText(), "You voted for Marvin 2");
  assertStringIncludes(await page.locator(".reasons").innerText(), "it works");
  await page.selectOption("#candidate", "claude");
  assertEquals(await page.isVisible("#writeIn"), false);
  await page.getByRole("button", { name: "Change my vote" }).click();
  assertStringIncludes(await page.locator(".ballot").innerText(), "You voted for Claude");
  assertStringIncludes(await page.locator("table.poll").innerText(), "Claude");
});

for (const script of [true, false]) {
  const how = script ? "with script" : "without script";

  Deno.test(`a visitor shares a skill, finds it in the list and votes for it, ${how}`, async () => {
    await using page = await site.visit({ script, name: `skill ${how}` });
    await page.goto("/skills/submit");
    await page.fill("#title", `Commit well ${how}`);
    await page.fill("#summary", "Messages that say why");
    await page.selectOption("#kind", "skill-md");
    await page.fill("#content", `# Commit well\n\nSay why, not what. ${how}, this is long enough.`);
    await page.locator("form.form button.primary").click();
    assertMatch(await page.inputValue(".edit-key textarea"), /^pik_[\w-]{43}$/);
    await page.goto("/skills?sort=new");
    await page.getByRole("link", { name: `Commit well ${how}` }).click();
    const answered = page.waitForResponse(/\/vote$/);
    await page.click(".listing-head .vote button");
    await (await answered).finished();
    await page.waitForSelector(`.listing-head [aria-pressed="true"]`);
    await page.reload();
    assertEquals(await page.getAttribute(".listing-head .vote button", "aria-pressed"), "true");
    assertEquals(await page.locator(".listing-head .count").innerText(), "1");
    const copy = page.getByRole("button", { name: "Copy: Content" });
    assertEquals(await copy.isVisible(), script);
    if (!script) return;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await copy.click();
    await page.waitForSelector(`[role="status"]:text-is("Copied")`, { state: "attached" });
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assertMatch(text, /^---\nname: .*\n---\n\n# Commit well\n\nSay why, not what\./s);
    const { pathname } = new URL(page.url());
    assertEquals((await site.app.json(`/api/v1${pathname}`)).body.skill.copies, 1);
  });

  Deno.test(`a visitor reports an entry to the operator, ${how}`, async () => {
    await using page = await site.visit({ script, name: `report ${how}` });
    await page.goto(`/p/${slug}`);
    await page.getByRole("link", { name: "Report this listing" }).click();
    await page.check(`input[value="broken"]`);
    await page.fill("#note", `The link is dead, ${how}`);
    await page.getByRole("button", { name: "Send" }).click();
    assertStringIncludes(await page.locator("main").innerText(), "We'll look into it");
    const reports = await listReports(site.app.deps);
    const report = reports.find(({ note }) => note?.endsWith(how));
    assertEquals([report?.slug, report?.reason], [slug, "broken"]);
  });
}
