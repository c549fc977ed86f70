import { assertEquals, assertStringIncludes } from "@std/assert";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

Deno.test("a search without results says what it finds without filters and in the other list", async () => {
  await using app = await testApp();
  const minutes = { name: "Minutely", tagline: "A free tool for meeting notes" };
  await submit(app, { ...minutes, category: "business" });
  for (let n = 0; n < 5; n++) await submit(app, { name: `Game ${n}`, tagline: "For free" });
  await share(app, { title: "Meeting notes" });
  const has = async (path: string, expected: string[], absent: string[] = []) => {
    const text = await app.text(path);
    for (const part of expected) assertStringIncludes(text, part, path);
    for (const part of absent) assertEquals(text.includes(part), false, `${path}: ${part}`);
  };
  const one = " without the “";
  await has("/projects.md?category=business&tool=v0&sort=new", [
    `[1 project${one}v0” filter](<http://projectory.test/projects.md?sort=new&category=business>)`,
  ], [`${one}Businesses`]);
  await has("/projects.md?category=game&tool=v0&gems=1", ["Show all projects"], [one]);
  await has("/projects.md?q=meeting&category=game", [
    "1 project without the filters",
    "1 matching skill",
  ]);
  const near = "Nothing matches all of";
  await has("/projects.md?q=meeting+notes+that+record", ["Minutely"], ["without", "Game 0", near]);
  await has("/projects.md?q=meeting+zzyzx+qqfoo+wwbar", ["Minutely", near]);
  await submit(app, { name: "Game of chess", category: "design" });
  await has("/projects.md?q=meeting+minutely+game&category=design", [
    `With these filters, nothing matches`,
    "1 project without the filters",
    "Game of chess",
  ], ["Minutely"]);
  await has("/skills.md?q=meeting+notes&kind=workflow", ["1 skill without the filters"], [near]);
  await has("/projects.md?q=zzzz&tag=x", ["No projects match"], [near, "without", "matching"]);
  await has("/projects.md?category=game", ["No projects match"], [near, "without", "matching"]);
});
