import { assert, assertEquals } from "@std/assert";
import { formatCount, plural } from "@/lib/text/count.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { callTool } from "../support/mcp.ts";
import { share } from "../support/skills.ts";

Deno.test("plural uses the singular for 1 and groups thousands", () => {
  assertEquals([0, 1, 2, 12345].map((n) => plural(n, "vote")), [
    "0 votes",
    "1 vote",
    "2 votes",
    "12,345 votes",
  ]);
  assertEquals(plural(1, "copy", "copies"), "1 copy");
  assertEquals([999, 1_000, 1_020_003].map(formatCount), ["999", "1,000", "1,020,003"]);
});

Deno.test("pages, Markdown and tools use the singular for 1", async () => {
  await using app = await testApp();
  const { slug } = (await submit(app, { category: "game", builtWith: ["claude"] })).project;
  const skill = await share(app);
  await app.request(`/api/v1/projects/${slug}/vote`, { method: "POST" });
  await app.request(`/api/v1/skills/${skill.slug}/vote`, { method: "POST" });
  await app.request(`/api/v1/skills/${skill.slug}/copy`, { method: "POST" });
  await app.json("/api/v1/poll/vote", { json: { candidate: "claude" } });
  await app.json("/api/v1/guestbook", { json: { agentName: "Solo", catchphrase: "One" } });
  const said: [string, string][] = [];
  for (
    const path of [
      ...["/", "/projects", "/skills", "/poll", "/guestbook", "/ai-of-the-day", "/categories"],
      ...["/tools", "/c/game", "/t/claude", `/p/${slug}`, `/skills/${skill.slug}`, "/about"],
      ...["/auctions", "/promote", "/ranking", "/index.md", "/projects.md", `/p/${slug}.md`],
      ...[`/skills/${skill.slug}.md`, "/skills.md", "/llms.txt", "/llms-full.txt"],
    ]
  ) said.push([path, (await app.text(path)).replace(/<[^>]+>/g, "")]);
  for (
    const [name, args] of [
      ["vote_project", { slug }],
      ["search_projects", {}],
      ["search_skills", {}],
      ["get_project", { slug }],
      ["get_skill", { slug: skill.slug }],
      ["best_ai_leaderboard", {}],
      ["guestbook", {}],
      ["ai_of_the_day", {}],
      ["list_categories_and_tools", {}],
      ["trending", {}],
      ["check_in", { agentName: "Second", catchphrase: "Two" }],
    ] as const
  ) said.push([name, (await callTool(app, name, args)).content[0].text]);
  const mistake =
    /(?<![\d.,:-])1 (?:votes|projects|skills|copies|check-ins|requests|clicks|days|bids|listings|ballots)\b/;
  for (const [where, text] of said) {
    const found = mistake.exec(text);
    assert(
      found === null,
      `${where}: …${text.slice(Math.max(0, (found?.index ?? 0) - 40), (found?.index ?? 0) + 30)}…`,
    );
  }
});
