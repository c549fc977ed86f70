import { assert, assertEquals } from "@std/assert";
import { operations } from "@/lib/app/operations.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { schemaValidator } from "../support/json_schema.ts";
import { submit } from "../support/listings.ts";

const EMOJI = "\u{1F600}";
const project = { name: "P", url: "https://p.example.com", tagline: "t" };
const skill = { title: "T", summary: "s", kind: "prompt", content: "Enough content of a skill." };
const check = { agentName: "Scout", catchphrase: "Hi" };

/** Bodies, and whether both the document and the service accept them. */
const BODIES: [operationId: string, body: Record<string, unknown>, taken: boolean][] = [
  ["createProject", { ...project, name: EMOJI.repeat(60) }, true],
  ["createProject", { ...project, name: EMOJI.repeat(61) }, false],
  ["createProject", { ...project, tagline: EMOJI.repeat(120) }, true],
  ["createProject", { ...project, tagline: EMOJI.repeat(121) }, false],
  ["createProject", { ...project, description: EMOJI.repeat(2000) }, true],
  ["createProject", { ...project, description: EMOJI.repeat(2001) }, false],
  ["createProject", { ...project, tags: ["Not a tag"] }, false],
  ["createSkill", { ...skill, title: EMOJI.repeat(80) }, true],
  ["createSkill", { ...skill, title: EMOJI.repeat(81) }, false],
  ["createSkill", { ...skill, category: "Git hooks" }, true],
  ["createSkill", { ...skill, category: "" }, false],
  ["createSkill", { ...skill, category: "c++" }, false],
  ["createSkill", { ...skill, category: "x".repeat(25) }, false],
  ["createSkill", { ...skill, tags: ["code_review", "A b"] }, true],
  ["createSkill", { ...skill, tags: [""] }, false],
  ["createSkill", { ...skill, license: "MIT" }, true],
  ["createSkill", { ...skill, license: null }, true],
  ["createSkill", { ...skill, license: "" }, false],
  ["createSkill", { ...skill, license: "MIT OR Apache-2.0" }, false],
  ["voteBestAi", { candidate: "other", writeIn: "Olmo" }, true],
  ["voteBestAi", { candidate: "other", writeIn: "x".repeat(30) }, true],
  ["voteBestAi", { candidate: "other", writeIn: "x".repeat(31) }, false],
  ["voteBestAi", { candidate: "other" }, false],
  ["voteBestAi", { candidate: "other", writeIn: null }, false],
  ["voteBestAi", { candidate: "other", writeIn: "" }, false],
  ["voteBestAi", { candidate: "claude" }, true],
  ["voteBestAi", { candidate: "claude", writeIn: "" }, true],
  ["voteBestAi", { candidate: "claude", writeIn: "x".repeat(30) }, true],
  ["voteBestAi", { candidate: "claude", writeIn: "x".repeat(31) }, false],
  ["voteBestAi", { candidate: "claude", reason: EMOJI.repeat(140) }, true],
  ["voteBestAi", { candidate: "claude", reason: EMOJI.repeat(141) }, false],
  ["signGuestbook", { ...check, catchphrase: EMOJI.repeat(140) }, true],
  ["signGuestbook", { ...check, catchphrase: EMOJI.repeat(141) }, false],
  ["signGuestbook", { ...check, model: EMOJI.repeat(60) }, true],
  ["createReport", { kind: "listing", slug: "reported", reason: "spam" }, true],
  ["createReport", { kind: "listing", reason: "spam" }, false],
  ["createReport", { kind: "listing", slug: null, reason: "spam" }, false],
  ["createReport", { kind: "skill", reason: "spam", note: "x" }, false],
  ["createReport", { kind: "site", reason: "spam", note: "There" }, true],
  ["createReport", { kind: "site", reason: "spam" }, false],
  ["createReport", { kind: "site", reason: "spam", note: "" }, false],
];

const QUERIES: [operationId: string, name: string, value: string | number, taken: boolean][] = [
  ["listProjects", "offset", Number.MAX_SAFE_INTEGER, true],
  ["listProjects", "offset", 2 ** 53, false],
  ["listSkills", "offset", 2 ** 53, false],
  ["listProjects", "q", EMOJI.repeat(100), true],
  ["listProjects", "q", EMOJI.repeat(101), false],
  ["listSkills", "category", "Git hooks", true],
  ["listSkills", "category", "", false],
  ["listSkills", "category", "c++", false],
  ["listSkills", "tag", "Code_Review", true],
  ["listSkills", "tag", "!", false],
  ["listProjects", "tag", "Not a tag", false],
];

/** Compiles the document's schemas. */
async function validators(app: TestApp) {
  const document = (await app.json("/openapi.json")).body;
  const ajv = schemaValidator({ allErrors: false });
  ajv.addSchema({ ...document, $id: "doc" });
  const described = (operationId: string) => {
    const { path, method } = operations.find((known) => known.operationId === operationId)!;
    return { path, method, operation: document.paths[path][method.toLowerCase()] };
  };
  const compile = (schema: object) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/')));
  return { described, compile };
}

Deno.test("the document and the service accept exactly the same bodies", async () => {
  await using app = await testApp();
  await submit(app, { name: "Reported" });
  const { described, compile } = await validators(app);
  for (const [n, [operationId, body, taken]] of BODIES.entries()) {
    const { path, operation } = described(operationId);
    const label = `${operationId} ${JSON.stringify(body)}`;
    const fits = compile(operation.requestBody.content["application/json"].schema)(body);
    assertEquals(fits, taken, `document: ${label}`);
    const dryRun = operationId.startsWith("create") && operationId !== "createReport";
    const named = "agentName" in body ? { agentName: `Scout ${n}` } : {};
    const { status } = await app.json(dryRun ? `${path}?dryRun=1` : path, {
      json: { ...body, ...named },
      address: `192.0.2.${n}`,
    });
    assertEquals(status < 300, taken, `service: ${status} ${label}`);
  }
});

Deno.test("the document and the service accept exactly the same query parameters", async () => {
  await using app = await testApp();
  const { described, compile } = await validators(app);
  for (const [operationId, name, value, taken] of QUERIES) {
    const { path, operation } = described(operationId);
    const label = `${operationId} ${name}=${value}`;
    const { schema } = operation.parameters.find((known: { name: string }) => known.name === name);
    assertEquals(compile(schema)(value), taken, `document: ${label}`);
    const { status } = await app.json(`${path}?${new URLSearchParams({ [name]: String(value) })}`);
    assertEquals(status === 200, taken, `service: ${label}`);
  }
});

Deno.test("the document links a created entry to each operation on it", async () => {
  await using app = await testApp();
  const { described } = await validators(app);
  for (const [make, noun] of [["createProject", "project"], ["createSkill", "skill"]] as const) {
    const { operation, path } = described(make);
    const linked = Object.values(operation.responses[201].links) as { operationId: string }[];
    const onIt = operations.filter((known) => known.path.startsWith(`${path}/{slug}`));
    assertEquals(
      linked.map(({ operationId }) => operationId).sort(),
      onIt.map(({ operationId }) => operationId).sort(),
    );
    for (const link of linked) {
      const { operation } = described(link.operationId);
      assert(operation.parameters.some(({ name }: { name: string }) => name === "slug"));
      assertEquals(link, {
        operationId: link.operationId,
        parameters: { slug: `$response.body#/${noun}/slug` },
      });
    }
  }
});
