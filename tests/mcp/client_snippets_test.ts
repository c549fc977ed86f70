import { assertEquals, assertStringIncludes } from "@std/assert";
import { mcpClientSnippets } from "@/lib/mcp/client_snippets.ts";
import { testApp } from "../support/app.ts";

const url = "https://projectory.example/api/mcp";

Deno.test("mcpClientSnippets: every file of settings parses and names the server once", () => {
  for (const { label, text } of mcpClientSnippets({ slug: "projectory", url })) {
    assertEquals(text.split(url).length, 2, label);
    if (label.endsWith(".json")) {
      const [servers] = Object.values(JSON.parse(text) as Record<string, object>);
      assertEquals(Object.keys(servers!), ["projectory"], label);
    }
  }
});

Deno.test("the curl command of /agents is answered", async () => {
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
