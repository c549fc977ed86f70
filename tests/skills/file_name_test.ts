import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "yaml";
import { nameProblems } from "@/lib/skills/file_name.ts";
import { frontmatterOf } from "@/lib/skills/frontmatter.ts";
import { nameWarnings } from "@/lib/skills/warnings.ts";
import { testApp } from "../support/app.ts";
import { callTool } from "../support/mcp.ts";
import { share, skillBody } from "../support/skills.ts";

const PATH = "/api/v1/skills";
const fileOf = (name: string) =>
  `---\n# kept\nname: ${name}\ndescription: Does one thing\n---\n\n# Text ${name}\n`;

Deno.test("a name invalid in the Agent Skills specification is rejected with a valid suggestion", () => {
  const refused: [name: string, instead: string][] = [
    ["Changelog Writer", "changelog-writer"],
    ["UPPER", "upper"],
    ["a--b", "a-b"],
    ["-a", "a"],
    ["a-", "a"],
    ["under_score", "under-score"],
    ["x".repeat(65), "x".repeat(60)],
    ["\u00FCber", "uber"],
    ["../../etc/passwd", "etc-passwd"],
  ];
  for (const [name, instead] of refused) {
    const [problem] = nameProblems("skill-md", fileOf(JSON.stringify(name)));
    assertEquals(problem?.field, "content", name);
    assertStringIncludes(problem!.message, `Use name: ${instead},`);
    assertEquals(nameProblems("skill-md", fileOf(instead)), [], instead);
    assertEquals(nameProblems("prompt", fileOf(JSON.stringify(name))), [], "another kind");
  }
  for (
    const content of [fileOf("a"), fileOf("a1-b2"), fileOf("x".repeat(64)), "# No frontmatter"]
  ) {
    assertEquals(nameProblems("skill-md", content), []);
  }
});

Deno.test("POST and PATCH of a skill reject an invalid name along with other problems", async () => {
  await using app = await testApp();
  const content = fileOf("Bad Name");
  const { status, body } = await app.json(PATH, { json: skillBody({ content, title: "" }) });
  assertEquals(status, 400);
  const fields = body.error.details.map(({ field }: { field: string }) => field);
  assertEquals(fields.sort(), ["content", "title"]);
  const { slug, editKey } = await share(app);
  const edit = (json: unknown) => app.json(`${PATH}/${slug}`, { method: "PATCH", json, editKey });
  assertEquals((await edit({ content })).status, 400);
  assertEquals((await edit({ summary: "Another" })).status, 200);
});

Deno.test("a submission whose file has a different name gets a warning with fixed frontmatter", async () => {
  await using app = await testApp();
  const json = skillBody({ title: "My title", content: fileOf("other-name") });
  for (const query of ["?dryRun=1", ""]) {
    const { body } = await app.json(`${PATH}${query}`, { json });
    const [warning, ...more] = body.warnings;
    assertEquals(more, []);
    assertStringIncludes(warning.message, "other-name");
    assertStringIncludes(warning.message, "my-title");
    const { yaml } = frontmatterOf(`${warning.frontmatter}\n# Text`)!;
    assertEquals(parse(yaml), { name: "my-title", description: "Does one thing" });
    assertStringIncludes(yaml, "# kept");
    assertEquals(body.skill.install.file, "other-name/SKILL.md");
    assertEquals(body.skill.installPath, ".claude/skills/other-name/SKILL.md");
    assertStringIncludes(body.skill.install.command, "-o .claude/skills/other-name/SKILL.md ");
  }
  const listed = (await app.json(PATH)).body.skills[0];
  assertEquals(listed.install.file, "other-name/SKILL.md");
  const index = await app.json("/skills/my-title/.well-known/agent-skills/index.json");
  assertEquals(index.body.skills[0].name, "other-name");
});

Deno.test("the fixed frontmatter removes the warning", async () => {
  await using app = await testApp();
  const { slug, editKey, skill } = await share(app, { content: fileOf("other-name") });
  const { frontmatter } = nameWarnings(skill, skill.content)[0]!;
  const content = frontmatter + skill.content.slice(frontmatterOf(skill.content)!.block.length);
  const patch = { method: "PATCH", json: { content }, editKey };
  const { body } = await app.json(`${PATH}/${slug}`, patch);
  assertEquals([body.warnings, body.skill.install.file], [[], `${slug}/SKILL.md`]);
});

Deno.test("a file without a name or with its slug as its name gets no warning", async () => {
  await using app = await testApp();
  for (const content of ["# Plain\n\nWithout a frontmatter.\n", fileOf("plain-2")]) {
    const { body } = await app.json(PATH, { json: skillBody({ title: "Plain", content }) });
    assertEquals(body.warnings, []);
    assertEquals(body.skill.install.file, `${body.skill.slug}/SKILL.md`);
  }
});

Deno.test("the submit page and submit_skill show the warning too", async () => {
  await using app = await testApp();
  const { content: [{ text }] } = await callTool(app, "submit_skill", {
    ...skillBody({ title: "Told" }),
    content: fileOf("tool-name"),
  });
  assertMatch(text, /calls itself tool-name[\s\S]*```\n---\n# kept\nname: told\n/);
  const response = await app.request("/skills/submit", {
    form: { ...skillBody({ title: "Paged" }), content: fileOf("page-name") },
  } as never);
  const html = await response.text();
  assertEquals(response.status, 201, html);
  assert(html.includes("calls itself page-name"), html);
});
