import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { parse } from "yaml";
import { skillFile } from "@/lib/skills/install.ts";
import { testApp } from "../support/app.ts";
import { assertQuick } from "../support/quick.ts";
import { share } from "../support/skills.ts";

const skill = { slug: "a-skill", kind: "skill-md", summary: 'Says "hi": always\\ #1' } as const;

function frontmatter(file: string) {
  return parse(/^---\r?\n([\s\S]*?)\r?\n---/.exec(file)![1]!);
}

Deno.test("skillFile returns content that has a name and a description byte for byte", () => {
  for (
    const content of [
      "---\nname: x\ndescription: Does x\n---\nBody of it",
      "\uFEFF---\nname: x\ndescription: Does x\n---\nWith a byte order mark",
      "---\r\ndescription: >\r\n  Does\r\n  x\r\nname: x\r\n---\r\nBody",
      "---\nname: &it x\ndescription: *it\n---\nWith an alias",
    ]
  ) assertEquals(skillFile(skill, content), content);
  assertEquals(skillFile({ ...skill, kind: "prompt" }, "Anything"), "Anything");
});

Deno.test("skillFile adds missing frontmatter and keeps the rest", () => {
  const table: [string, Record<string, unknown>][] = [
    ["# No frontmatter", { name: "a-skill", description: skill.summary }],
    ["---\nlicense: MIT\n---\nBody", {
      name: "a-skill",
      description: skill.summary,
      license: "MIT",
    }],
    ["---\r\nname: Mine\r\n---\r\nBody", { name: "Mine", description: skill.summary }],
    ["---\ndescription: use for: lists\n---\nNot YAML", {
      name: "a-skill",
      description: skill.summary,
    }],
    ["---\nname: 5\ndescription: x\n---\nBody", { name: "a-skill", description: skill.summary }],
    ["---\n- a list\n---\nBody", { name: "a-skill", description: skill.summary }],
    ["---\nname: [\n---\nBody", { name: "a-skill", description: skill.summary }],
    ["---\nname: x\nname: y\ndescription: Does x\n---\nA key twice", {
      name: "a-skill",
      description: skill.summary,
    }],
    ['---\n{ "license": "MIT" }\n---\nA flow mapping', {
      name: "a-skill",
      description: skill.summary,
    }],
    ["---\n  author: Ann\n---\nIndented", { name: "a-skill", description: skill.summary }],
    ["---\nnever closed", { name: "a-skill", description: skill.summary }],
  ];
  for (const [content, data] of table) {
    const file = skillFile(skill, content);
    assertEquals(frontmatter(file), data, content);
    assert(file.endsWith(content) || content.includes("license") || content.includes("Mine"));
  }
});

Deno.test("skillFile adds a name that YAML 1.1 and 1.2 parse as text, even if it looks like another type", () => {
  for (const slug of ["2048", "1e5", "0x1f", "0o17", "null", "true", "no", "2026-01-01", "3d"]) {
    const file = skillFile({ ...skill, slug }, "# No frontmatter");
    const front = /^---\n([^]*?)\n---/.exec(file)![1]!;
    for (const version of ["1.1", "1.2"] as const) {
      assertEquals(parse(front, { version }).name, slug);
    }
  }
});

Deno.test("skillFile takes less than a second on hostile YAML up to 20,000 characters", () => {
  for (
    const unit of [
      "[",
      "{",
      "- ",
      "a: ",
      "&a ",
      "*a ",
      "a: &a x\nb: [*a, *a, *a, *a]\n",
      "? ",
      "!!",
      "|\n",
      "'",
      "\n",
      "a:\n ",
    ]
  ) {
    for (const length of [3_990, 19_980]) {
      const content = `---\n${unit.repeat(length / unit.length)}\n---\nx`;
      assertQuick(1_000, unit, () => skillFile(skill, content));
    }
  }
});

Deno.test("skillFile reads frontmatter that lacks a name only once", () => {
  const content = `---\na: ${"{b: ".repeat(700)}${"}".repeat(700)}\n---\nx`;
  skillFile(skill, content);
  assertQuick(250, "100 files", () => {
    for (let i = 0; i < 100; i++) skillFile(skill, content);
  });
});

Deno.test("the agents-md command appends on a new line, even if the file doesn't end with one", async () => {
  await using app = await testApp();
  const { skill } = await share(app, { kind: "agents-md", content: "# A rule that is appended" });
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/AGENTS.md`, "The last line");
  // No server is running, so the download is replaced by its content.
  const script = skill.install.command.replace(/curl [^;]+/, `printf '%s' '${skill.content}'`);
  await new Deno.Command("sh", { args: ["-c", script], cwd: folder }).output();
  const file = await Deno.readTextFile(`${folder}/AGENTS.md`);
  assertEquals(file, "The last line\n# A rule that is appended");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a skill's agent-skills index lists only it, with its file's digest", async () => {
  await using app = await testApp();
  const { slug, editKey } = await share(app, { title: "A", content: "No frontmatter at all here" });
  await share(app, { title: "C", kind: "prompt" });
  const path = `/skills/${slug}/.well-known/agent-skills/index.json`;
  for (const json of [{ summary: "Another summary" }, { content: "Another content, as long" }]) {
    await app.json(`/api/v1/skills/${slug}`, { method: "PATCH", json, editKey });
    const { $schema, skills: [entry, ...others] } = await (await app.request(path)).json();
    assertEquals($schema, "https://schemas.agentskills.io/discovery/0.2.0/schema.json");
    assertEquals([entry.name, others], [slug, []]);
    assertEquals(entry.description, "Shared by a visitor, not reviewed: Another summary");
    const answer = await app.request(new URL(entry.url).pathname);
    const file = new Uint8Array(await answer.arrayBuffer());
    assertEquals(entry.digest, `sha256:${createHash("sha256").update(file).digest("hex")}`);
  }
  assertEquals((await app.request("/skills/c/.well-known/agent-skills/index.json")).status, 404);
});

Deno.test("the site's agent-skills index lists only the operator's own skill", async () => {
  await using app = await testApp();
  await share(app, { title: "Projectory", summary: "The official skill" });
  const { skills } = await (await app.request("/.well-known/agent-skills/index.json")).json();
  assertEquals(skills.map(({ name }: { name: string }) => name), ["using-projectory"]);
  const file = await app.text(new URL(skills[0].url).pathname);
  assertEquals(skills[0].digest, `sha256:${createHash("sha256").update(file).digest("hex")}`);
  const { name, description } = frontmatter(file);
  assertEquals([name, description], [skills[0].name, skills[0].description]);
});

Deno.test("skillFile skips frontmatter built to stall the parser and puts its own before it", () => {
  const own = `---\nname: ${skill.slug}\ndescription: ${JSON.stringify(skill.summary)}\n---\n\n`;
  for (
    const yaml of [
      `a: &a [*a${",*a".repeat(5000)}]`,
      `name: x\ndescription: y\na: &a [x]\nb: [${"*a,".repeat(900)}*a]`,
      "[".repeat(19_000),
      "a: ".repeat(6000),
      `name: x\ndescription: y\nz: ${"y".repeat(19_000)}`,
    ]
  ) {
    const content = `---\n${yaml}\n---\nText`;
    const file = assertQuick(1_000, yaml.slice(0, 20), () => skillFile(skill, content));
    assertEquals(file, own + content);
  }
  const starred = "---\nname: x\ndescription: use *this* & that\n---\nText";
  assertEquals(skillFile(skill, starred), starred);
});
