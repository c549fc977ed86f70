import { assertEquals, assertStringIncludes } from "@std/assert";
import { mcpClientSnippets } from "@/lib/mcp/client_snippets.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";

const url = "https://projectory.example/api/mcp";

Deno.test("every mcpClientSnippets JSON file parses, and every snippet names the server URL once", () => {
  for (const { label, text } of mcpClientSnippets({ slug: "projectory", url })) {
    assertEquals(text.split(url).length, 2, label);
    if (label.endsWith(".json")) {
      const [servers] = Object.values(JSON.parse(text) as Record<string, object>);
      assertEquals(Object.keys(servers!), ["projectory"], label);
    }
  }
});

Deno.test("the submit command on /agents is a dry run as printed, and works without dryRun", async () => {
  await using app = await testApp();
  const text = await app.text("/agents.md");
  const [, path, body] = /curl -X POST "http:\/\/projectory\.test(\/[^"]+)"[^`]*-d '([^']+)'/.exec(
    text,
  )!;
  for (const project of [JSON.parse(body!), { ...JSON.parse(body!), tagline: "" }]) {
    const { status } = await app.json(path!, { json: project });
    assertEquals(status, project.tagline === "" ? 400 : 200);
  }
  assertEquals((await app.json("/api/v1/projects")).body.total, 0);
  const { status } = await app.json(path!.split("?")[0]!, { json: JSON.parse(body!) });
  assertEquals(status, 201);
});

Deno.test("the search command on /agents finds what matches its words and filters", async () => {
  await using app = await testApp();
  await submit(app, { name: "Notes", pricing: "free" });
  await submit(app, { name: "Paid notes", pricing: "paid" });
  const text = await app.text("/agents.md");
  const [, path] = /^curl "http:\/\/projectory\.test(\/[^"]+)"$/m.exec(text)!;
  const { status, body } = await app.json(path!);
  assertEquals([status, body.projects.map(({ name }: { name: string }) => name)], [200, ["Notes"]]);
});

Deno.test("the MCP curl command for agents works as printed", async () => {
  await using app = await testApp();
  const snippet = mcpClientSnippets({ slug: "projectory", url }).at(-1)!.text;
  const headers = Object.fromEntries(
    [...snippet.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name, value]) => [name!, value!]),
  );
  const body = /-d '([^']+)'/.exec(snippet)![1]!;
  const response = await app.request("/api/mcp", { method: "POST", headers, body });
  assertEquals(response.status, 200);
  assertStringIncludes(await response.text(), "search_projects");
});
