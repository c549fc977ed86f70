import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { testApp } from "../support/app.ts";
import { callTool } from "../support/mcp.ts";
import { skillBody } from "../support/skills.ts";

const PATH = "/api/v1/skills";
const SECRET = `sk-ant-${"A1b2".repeat(8)}`;
const WARNING = "Line 3 may have a secret: sk-ant-A… (39 characters). Anyone can read it here";

Deno.test("an author is warned of a possible secret, wherever the skill is shared", async () => {
  await using app = await testApp();
  const withSecret = (title: string) =>
    skillBody({ title, content: `# ${title}\n\nUse the key ${SECRET} for it.\n` });
  for (const query of ["?dryRun=1", ""]) {
    const { body } = await app.json(`${PATH}${query}`, { json: withSecret("Api") });
    assertEquals(body.warnings, [{ field: "content", message: WARNING }], query);
  }
  const { content: [{ text }] } = await callTool(app, "submit_skill", withSecret("Tool"));
  assertStringIncludes(text, `${WARNING}.`);
  const response = await app.request("/skills/submit", { form: withSecret("Page") } as never);
  const html = await response.text();
  assert(html.includes(`${WARNING}.`), html);
  const named = skillBody({ title: "Named", content: "Set the variable GITHUB_TOKEN first." });
  assertEquals((await app.json(PATH, { json: named })).body.warnings, []);
});

Deno.test("a skill's lines are counted without the line break at its end", async () => {
  await using app = await testApp();
  for (const [end, lines] of [["", 3], ["\n", 3], ["\r\n", 3], ["\n\n", 4]] as const) {
    const json = skillBody({ content: `# Title\n\nText that is long enough.${end}` });
    const { body } = await app.json(`${PATH}?dryRun=1`, { json });
    assertEquals(body.skill.facts.lines, lines, JSON.stringify(end));
  }
});
