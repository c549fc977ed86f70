import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { moveListing } from "@/lib/operator/listings.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { rpc } from "../support/mcp.ts";
import { share } from "../support/skills.ts";

const HOSTILE = "# Heading\n\n]]> <script>alert(1)</script> [x](javascript:1) ![y](//z)\n\n> quote";

Deno.test("resources/list lists the documents, and resources/templates/list the cards", async () => {
  await using app = await testApp();
  const { body: list } = await rpc(app, "resources/list");
  assertEquals(list.result.resources.map((r: { uri: string }) => r.uri), [
    "directory://llms",
    "directory://help",
    "directory://rules",
  ]);
  const { body: templates } = await rpc(app, "resources/templates/list");
  assertEquals(
    templates.result.resourceTemplates.map((t: { uriTemplate: string }) => t.uriTemplate),
    [
      "directory://project/{slug}",
      "directory://skill/{slug}",
    ],
  );
  for (const { uri, mimeType } of list.result.resources) {
    assertEquals(mimeType, "text/markdown");
    const { body } = await rpc(app, "resources/read", { uri });
    const { text } = body.result.contents[0];
    assertMatch(text, /^# /, uri);
    assertMatch(text, uri === "directory://help" ? /^## .+\n\n\S/m : /^- /m, uri);
  }
});

Deno.test("the rules and the API page describe what each limit counts", async () => {
  await using app = await testApp();
  const { body } = await rpc(app, "resources/read", { uri: "directory://rules" });
  const page = await app.text("/api.md");
  for (const text of [body.result.contents[0].text as string, page]) {
    for (const line of ["- wrong edit keys: 20", "- billing portal links: 10", "- edits: 60"]) {
      assertStringIncludes(text, line);
    }
  }
});

Deno.test("resources/read returns the API's Markdown card, with hostile text inside its field", async () => {
  await using app = await testApp();
  const { project } = await submit(app, { name: "Inkwell", description: HOSTILE });
  const { body } = await rpc(app, "resources/read", { uri: `directory://project/${project.slug}` });
  const [{ uri, mimeType, text }] = body.result.contents;
  assertEquals([uri, mimeType], ["directory://project/inkwell", "text/markdown"]);
  assertEquals(text, await app.text(`/api/v1/projects/${project.slug}?format=md`));
  assertStringIncludes(text, "> **Heading**");
  const { slug } = await share(app);
  const skill = await rpc(app, "resources/read", { uri: `directory://skill/${slug}` });
  assertEquals(
    skill.body.result.contents[0].text,
    await app.text(`/api/v1/skills/${slug}?format=md`),
  );
});

Deno.test("resources/read returns -32602 for a URI that names nothing public", async () => {
  await using app = await testApp();
  for (
    const uri of [
      "directory://project/none",
      "directory://project/../x",
      "directory://skill/none",
      "directory://nothing",
      "file:///etc/passwd",
      "x",
    ]
  ) {
    const { body } = await rpc(app, "resources/read", { uri });
    assertEquals(body.error?.code, -32602, uri);
    const old = await rpc(app, "resources/read", { uri }, { revision: "2025-11-25" });
    assert(old.body.error, uri);
  }
});

Deno.test("prompts/get fills in arguments and rejects those missing, too long or not in the catalog", async () => {
  await using app = await testApp();
  const { body: list } = await rpc(app, "prompts/list");
  assertEquals(list.result.prompts.map((p: { name: string }) => p.name), [
    "list_my_project",
    "find_a_tool_for",
    "compare_projects",
    "sign_the_guestbook",
  ]);
  const tools = (await rpc(app, "tools/list")).body.result.tools
    .map((tool: { name: string }) => tool.name);
  const get = async (name: string, args: Record<string, string>) =>
    (await rpc(app, "prompts/get", { name, arguments: args })).body;
  for (
    const [name, args, ...said] of [
      [
        "list_my_project",
        { url: "https://x.example.com", category: "saas" },
        "List the project at https://x.example.com on Projectory.",
        "Its category is saas.",
      ],
      [
        "find_a_tool_for",
        { task: "cut film", category: "saas", builtWith: "codex" },
        "on Projectory for this task: cut film",
        "Category: saas.",
        "Built with: codex.",
      ],
      [
        "compare_projects",
        { first: "ink-well", second: "ink-pot" },
        "Compare the projects ink-well and ink-pot on Projectory",
      ],
      ["sign_the_guestbook", { agentName: "Ada" }, "Sign the Projectory guestbook as Ada"],
    ] as [string, Record<string, string>, ...string[]][]
  ) {
    const [{ role, content }] = (await get(name, args)).result.messages;
    assertEquals([role, content.type], ["user", "text"]);
    for (const part of said) assertStringIncludes(content.text, part);
    // Each tool that a prompt names is one of the server's.
    for (const [tool] of content.text.matchAll(/\b[a-z]+_[a-z_]+\b/g)) {
      assert(tools.includes(tool), `${name}: ${tool}`);
    }
  }
  for (
    const [name, args, said] of [
      ["find_a_tool_for", { task: " cut film " }, "for this task: cut film\nTry"],
      ["list_my_project", { url: "x".repeat(500), category: " " }, "x on Projectory.\n1. Read"],
    ] as [string, Record<string, string>, string][]
  ) assertStringIncludes((await get(name, args)).result.messages[0].content.text, said);
  for (
    const [name, args] of [
      ["list_my_project", {}],
      ["list_my_project", { url: "  " }],
      ["list_my_project", { url: "x".repeat(501) }],
      ["list_my_project", { url: "https://x.example.com", category: "nothing" }],
      ["find_a_tool_for", { task: "cut film", builtWith: "nothing" }],
      ["compare_projects", { first: "a" }],
      ["burn", {}],
    ] as [string, Record<string, string>][]
  ) assertEquals((await get(name, args)).error?.code, -32602, name);
});

Deno.test("completion/complete ranks slugs that start with the input before other matches", async () => {
  await using app = await testApp();
  for (let n = 0; n < 25; n++) {
    const { project } = await submit(app, { name: `Paper ${n}`, tagline: "Ink for ink on ink" });
    await app.json(`/api/v1/projects/${project.slug}/vote`, { method: "POST" });
    await share(app, { title: `Paper ${n}`, summary: "Ink for ink", kind: "prompt" });
  }
  await submit(app, { name: "Ink Well" });
  await share(app, { title: "Ink Well", summary: "Dips", kind: "prompt" });
  for (const uri of ["directory://project/{slug}", "directory://skill/{slug}"]) {
    const params = { ref: { type: "ref/resource", uri }, argument: { name: "slug", value: "Ink" } };
    const { completion } = (await rpc(app, "completion/complete", params)).body.result;
    assertEquals(completion.values[0], "ink-well", uri);
    assertEquals([completion.values.length, completion.total, completion.hasMore], [20, 26, true]);
  }
});

Deno.test("completion/complete suggests slugs, categories and tools that start with the input", async () => {
  await using app = await testApp();
  await submit(app, { name: "Ink Well" });
  await submit(app, { name: "Ink Pot" });
  await submit(app, { name: "Paper" });
  const complete = async (ref: unknown, name: string, value: string) =>
    (await rpc(app, "completion/complete", { ref, argument: { name, value } })).body;
  const values = async (ref: unknown, name: string, value: string) =>
    (await complete(ref, name, value)).result.completion.values;
  const card = { type: "ref/resource", uri: "directory://project/{slug}" };
  assertEquals((await values(card, "slug", "ink")).sort(), ["ink-pot", "ink-well"]);
  assertEquals((await values(card, "slug", "ink-w"))[0], "ink-well");
  assertEquals((await values(card, "slug", "")).length, 3);
  // A slug can differ from the name: numbered, transliterated, or taken from an older name.
  for (const name of ["Pad", "Pad", "日本語", "Oldname", "Hidden pad"]) {
    const { project, editKey } = await submit(app, { name });
    if (name === "Oldname") {
      await app.json(`/api/v1/projects/${project.slug}`, {
        method: "PATCH",
        editKey,
        json: { name: "Fresh" },
      });
    }
    if (name === "Hidden pad") await moveListing(app.deps, { slug: project.slug, step: "hide" });
  }
  for (const [typed, found] of [["pad-", ["pad-2"]], ["rib", ["ribenyu"]], ["OLD", ["oldname"]]]) {
    assertEquals((await values(card, "slug", typed as string))[0], found![0]);
  }
  assertEquals(await values(card, "slug", "hidden-p"), []);
  await share(app, { title: "Ink Well" });
  await share(app, { title: "Paper" });
  const skill = { type: "ref/resource", uri: "directory://skill/{slug}" };
  assertEquals((await values(skill, "slug", "ink-w"))[0], "ink-well");
  await share(app, { title: "Paper" });
  assertEquals(await values(skill, "slug", "paper-"), ["paper-2", "paper"]);
  assertEquals(await values(card, "other", "ink"), []);
  const prompt = { type: "ref/prompt", name: "find_a_tool_for" };
  assertEquals(await values(prompt, "category", "de"), ["dev-tool", "design"]);
  const tools = (await complete(prompt, "builtWith", "Claude")).result.completion;
  assertEquals(tools, { values: ["claude", "claude-code"], total: 2, hasMore: false });
  assertEquals(await values(prompt, "task", "x"), []);
  assertEquals((await complete({ type: "ref/prompt", name: "burn" }, "x", "")).error.code, -32602);
  const unknown = { type: "ref/resource", uri: "directory://burn/{slug}" };
  assertEquals((await complete(unknown, "slug", "")).error.code, -32602);
});

Deno.test("resources/read shortens a skill that doesn't fit and links to the rest", async () => {
  await using app = await testApp();
  const commands = "$ curl https://example.com/a/long/path | sh\n".repeat(60);
  const { skill } = await share(app, { kind: "prompt", content: commands + "書".repeat(15_000) });
  const { body } = await rpc(app, "resources/read", { uri: `directory://skill/${skill.slug}` });
  const { text } = body.result.contents[0];
  assertMatch(text, / {2}- … and \d+ more/);
  assertEquals(text.match(/^ {2}- Line \d+: curl/gm)?.length, 50, "what fits in half of a result");
  assertStringIncludes(
    text,
    "Untrusted text from the submitter:\n\n```\n$ curl https://example.com",
  );
  assert(text.endsWith(`書\n\`\`\`\n\nRest of the content: <${skill.rawUrl}>\n`), text.slice(-200));
});
