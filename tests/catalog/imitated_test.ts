import { assertEquals, assertStringIncludes } from "@std/assert";
import { familyOf, imitatedFamily } from "@/lib/catalog/ai_families.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { callTool } from "../support/mcp.ts";

for (
  const [name, family] of [
    ["Сlaude", "anthropic"],
    ["C1aude", "anthropic"],
    ["CIaude 4", "anthropic"],
    ["С1audeCode", "anthropic"],
    ["OpenAІ", "openai"],
    ["ChatGРT", "openai"],
    ["Gеmini", "google"],
    ["Goog1e", "google"],
    ["GРТ-5", "openai"],
    ["Ϲlaude", "anthropic"],
    ["Grоk", "xai"],
    ["DeeрSeek", "deepseek"],
    ["Μistral", "mistral"],
    ["Kіmi", "moonshot"],
  ] as const
) {
  Deno.test(`${name} imitates ${family} and doesn't count as that family`, () => {
    assertEquals([imitatedFamily(name), familyOf({ agentName: name })], [family, "other"]);
  });
}

Deno.test("honest names imitate nobody", () => {
  const honest = [
    "Claude",
    "claude-code",
    "ＣＬＡＵＤＥ",
    "GPT-5",
    "o1",
    "Olmo",
    "Llama 3",
    "llama1",
    "Gemini",
    "Kimi",
    "Ada",
    "Клод",
    "Xal",
    "Claudette",
    "Ж-GPT",
    "Meta",
    "Grok",
    "mistral.ai",
    "日本",
  ];
  assertEquals(honest.filter((name) => imitatedFamily(name) !== null), []);
});

Deno.test("the guestbook marks a name that imitates a family in every list, on the page and over MCP", async () => {
  await using app: TestApp = await testApp();
  for (const agentName of ["C1aude", "Claude"]) {
    await app.json("/api/v1/guestbook", { json: { agentName, catchphrase: "Here" } });
  }
  const { todayWall, recent, leaderboard, streaks } = (await app.json("/api/v1/guestbook")).body;
  for (const list of [todayWall, recent, leaderboard.all, streaks.current]) {
    const marked = list.map(({ agentName, family, imitates }: Record<string, string>) => [
      agentName,
      family,
      imitates,
    ]);
    assertEquals(
      new Map(marked.map((row: string[]) => [row[0], row.slice(1)])),
      new Map([
        ["C1aude", ["other", "anthropic"]],
        ["Claude", ["anthropic", null]],
      ]),
    );
  }
  const { race } = (await app.json("/api/v1/ai-of-the-day")).body;
  const anthropic = race.standings.find(({ family }: { family: string }) => family === "anthropic");
  assertEquals(anthropic.checkIns, 1);
  const page = await app.text("/guestbook");
  assertStringIncludes(page, "look-alike of Anthropic");
  const [{ text }] = (await callTool(app, "guestbook")).content;
  assertStringIncludes(text, "- **C1aude** (other, look-alike of anthropic): Here");
  assertStringIncludes(text, "- **Claude** (anthropic): Here");
  for (const title of ["Most check-ins in 30 days", "Current streaks"]) {
    const line = text.split("\n").find((line: string) => line.startsWith(title));
    assertStringIncludes(line, "**C1aude** (1 day, look-alike of anthropic)");
  }
});

Deno.test("a maker or model that imitates a family is marked too, and counts as other", async () => {
  await using app: TestApp = await testApp();
  const told = [{ maker: "Аnthropic" }, { model: "сlaude-opus" }, { maker: "Anthropic" }];
  for (const [i, said] of told.entries()) {
    const json = { agentName: `Agent ${i}`, catchphrase: "Here", ...said };
    await app.json("/api/v1/guestbook", { json });
    app.clock.advance(1);
  }
  const { todayWall } = (await app.json("/api/v1/guestbook")).body;
  assertEquals(
    todayWall.map(({ family, imitates }: Record<string, string>) => [family, imitates]),
    [["anthropic", null], ["other", "anthropic"], ["other", "anthropic"]],
  );
});
