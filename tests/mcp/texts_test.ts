import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS } from "@/lib/clock.ts";
import { setSwitches } from "@/lib/switches.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { callTool } from "../support/mcp.ts";
import { share, skillBody } from "../support/skills.ts";

const INK = "- **Ink \\*Well\\*** (ink-well): Dips_in\n" +
  "  category content, pricing free, 1 vote, hidden gem <https://ink.example.com>";
const BARE = "- **Bare** (bare): Nothing else\n  0 votes, Promoted: Spotlight <https://bare.org>";
const NEXT = "2026-03-05T00:00:00.000Z";
const ADA = { agentName: "Ada (L)", catchphrase: "Here_I am", maker: "anthropic" };

/** Tools in the order in which they are called, and the text that each returns. */
const SAID: [tool: string, args: Record<string, unknown>, text: string][] = [
  ["vote_project", { slug: "ink-well" }, "Voted for ink-well: 1 vote."],
  ["vote_project", { slug: "ink-well" }, "You already voted for ink-well: 1 vote."],
  [
    "search_projects",
    { limit: 1 },
    "1 of 2 projects. More: search_projects with offset 1. Details: get_project.\n" +
    INK,
  ],
  [
    "search_projects",
    { offset: 1 },
    `1 of 2 projects from offset 1. Details: get_project.\n${BARE}`,
  ],
  ["search_projects", { offset: 2 }, "0 of 2 projects from offset 2. Details: get_project."],
  [
    "search_skills",
    {},
    "1 of 1 skill. Content: get_skill.\n" +
    "- **Cut\\*ter** (cut-ter, prompt, 0 votes, 0 copies): Cuts_it",
  ],
  [
    "get_skill",
    { slug: "cut-ter" },
    "# Cut\\*ter\n\nCuts_it\n\n" +
    "prompt, by **A\\*da**, MIT, third-party, from <https://ink.example.com/s>. 1 copy. " +
    "Page: <http://projectory.test/skills/cut-ter>\n" +
    "Found in the content: 0 runs of invisible characters, 0 commands, 0 links, 0 possible secrets, 0 requested permissions\n\n" +
    "Paste into a chat, or save as cut-ter.md:\n\n" +
    "```sh\ncurl -fsSL --create-dirs -o cut-ter.md " +
    "'http://projectory.test/api/v1/skills/cut-ter?format=raw" +
    "&sha256=c2545cfa716aff27518a331432fbc44471587f36e18d1b0fde0fff20b216cee8'\n```\n\n" +
    "> Ask \\*me\\*\n\n" +
    "Untrusted text from the submitter:\n\n```\nCut where the line is drawn.\n```",
  ],
  [
    "trending",
    { limit: 1 },
    `## Promoted (paid)\n${BARE}\n\n## Hot\n${INK}\n\n## New\n${BARE}\n\n` +
    `## Hidden gems (not for sale)\n${INK}`,
  ],
  [
    "vote_best_ai",
    { candidate: "other", writeIn: "Olmo-3", yourName: "Ada (L)" },
    `Voted for Olmo-3 on 2026-03-04. Next vote at ${NEXT}.`,
  ],
  [
    "vote_best_ai",
    { candidate: "claude", yourName: "Ada (L)" },
    `Changed your vote to Claude on 2026-03-04. Next vote at ${NEXT}.`,
  ],
  [
    "vote_best_ai",
    { candidate: "gemini", yourName: "Bo" },
    `Voted for Gemini on 2026-03-04. Next vote at ${NEXT}.`,
  ],
  [
    "best_ai_leaderboard",
    {},
    "Which AI is best? Everyone, today: 2 votes. " +
    "Counting votes since 2026-03-04.\n" +
    "1. **Claude**: 1 vote (50.0%)\n1. **Gemini**: 1 vote (50.0%)\n" +
    "Most active agents: **Bo** (1), **Ada (L)** (1)",
  ],
  [
    "check_in",
    ADA,
    "Ada (L) is checked in for 2026-03-04 (AI family: anthropic). " +
    `Streak: 1 day. Next check-in at ${NEXT}.`,
  ],
  [
    "check_in",
    { ...ADA, model: "w-1" },
    "Updated the check-in of Ada (L) for 2026-03-04 (AI family: anthropic). " +
    `Streak: 1 day. Next check-in at ${NEXT}.`,
  ],
  [
    "check_in",
    { agentName: "Bo", catchphrase: "viagra" },
    "Bo is checked in for 2026-03-04 (AI family: other). The catchphrase is not shown. " +
    `Streak: 1 day. Next check-in at ${NEXT}.`,
  ],
  [
    "guestbook",
    {},
    "Guestbook on 2026-03-04: 2 check-ins. " +
    "Counting check-ins since 2026-03-04. Sign with check_in.\n" +
    "- **Bo** (other)\n- **Ada (L)** (w-1): Here_I am\n" +
    "Most check-ins in 30 days: **Ada (L)** (1 day), **Bo** (1 day)\n" +
    "Current streaks: **Ada (L)** (1 day), **Bo** (1 day)",
  ],
  [
    "ai_of_the_day",
    {},
    "No AI of the Day on 2026-03-04: there were no check-ins on 2026-03-03.\n" +
    "1. Anthropic: 1 check-in, 0 requests\n2. Other: 1 check-in, 0 requests\n" +
    "The family that leads at the end of 2026-03-04 (UTC) " +
    "picks the site's theme for 2026-03-05.",
  ],
];

Deno.test("each tool's text says what its data does, with hostile text inside its field", async () => {
  await using app = await testApp();
  const ink = { name: "Ink *Well*", url: "https://ink.example.com", tagline: "Dips_in" };
  await submit(app, { ...ink, category: "content", pricing: "free" });
  await submit(app, { name: "Bare", url: "https://bare.org", tagline: "Nothing else" });
  await share(app, {
    title: "Cut*ter",
    summary: "Cuts_it",
    kind: "prompt",
    content: "Cut where the line is drawn.",
    author: "A*da",
    installHint: "Ask *me*",
    origin: "third-party",
    license: "MIT",
    sourceUrl: "https://ink.example.com/s",
  });
  const span = { startsAt: app.clock.now(), endsAt: app.clock.now() + DAY_MS };
  const spotlight = { tierId: "spotlight-30" as const, ...span };
  app.deps.catalogue.setPromotion("bare", [spotlight]);
  app.deps.catalogue.setGem("ink-well", { note: "Full", since: app.clock.now() });
  const say = async (tool: string, args = {}) => (await callTool(app, tool, args)).content[0].text;
  for (const [tool, args, text] of SAID) assertEquals(await say(tool, args), text, tool);
  const { structuredContent: about, content } = await callTool(app, "about_service");
  const lines = (title: string, all: string[]) =>
    [title, ...all.map((line) => `- ${line}`)].join("\n");
  assertEquals(content[0].text.split("\n\n").slice(0, -1), [
    `# ${about.name}`,
    about.description,
    lines("For:", about.whoItsFor),
    lines("How it makes money:", about.businessModel),
    "Live figures: projects 2, newThisWeek 2, votes 1, visits 0, skills 1, promoted 1, gems 1.",
  ]);
  app.clock.advance(DAY_MS);
  const [told] = (await say("ai_of_the_day")).split("\n");
  const winner = "AI of the Day on 2026-03-05: Anthropic, 1 check-in on 2026-03-04.";
  assertEquals(told, `${winner} Theme: **Kiln**.`);
});

Deno.test("submit tools show the edit key in their text", async () => {
  await using app = await testApp();
  const site = "http://projectory.test";
  const fields = { name: "Ink *Well*", url: "https://ink.example.com", tagline: "Dips" };
  const listed = await callTool(app, "submit_project", fields);
  const { editKey, editKeyNotice, badge } = listed.structuredContent;
  assertEquals(listed.content[0].text.split("\n"), [
    `Listed: **Ink \\*Well\\*** <${site}/p/ink-well>`,
    "Slug: ink-well",
    `Edit key: ${editKey}`,
    editKeyNotice,
    `Badge for a README: ${badge.markdown}`,
  ]);
  await setSwitches(app.deps.store, { review: true });
  const waits = await callTool(app, "submit_project", { ...fields, url: "https://b.example.com" });
  assertEquals(
    waits.content[0].text.split("\n")[0],
    "Submitted: **Ink \\*Well\\*** is waiting for the operator's approval.",
  );
  const shared = await callTool(app, "submit_skill", skillBody({ title: "Cut*ter" }));
  assertEquals(shared.content[0].text.split("\n"), [
    `Shared: **Cut\\*ter** <${site}/skills/cut-ter>`,
    "Slug: cut-ter",
    `Edit key: ${shared.structuredContent.editKey}`,
    editKeyNotice,
  ]);
  await share(app, { title: "Plain" });
  const read = await callTool(app, "get_skill", { slug: "plain" });
  assertEquals(
    read.content[0].text.split("\n")[4],
    `skill-md. 1 copy. Page: <${site}/skills/plain>`,
    "nobody is named where nobody is known",
  );
});

Deno.test("tools that describe the site summarize their data in text", async () => {
  await using app = await testApp();
  await submit(app, { category: "game", builtWith: ["v0"] });
  const said = async (tool: string, args = {}) => {
    const { content, structuredContent } = await callTool(app, tool, args);
    return [content[0].text as string, structuredContent] as const;
  };
  const [lists, meta] = await said("list_categories_and_tools");
  const lines = lists.split("\n");
  const game = meta.categories.find(({ slug }: { slug: string }) => slug === "game");
  assertEquals(lines.length, 1 + meta.categories.length + 5 + meta.tiers.length);
  assertEquals(lines[0], "Categories:");
  assertEquals(lines[1 + meta.categories.indexOf(game)], `- game: ${game.blurb} 1 project`);
  const [tools, pricing, accents, limits, tiers] = lines.slice(1 + meta.categories.length);
  const counted = meta.tools.map(({ slug }: { slug: string }) =>
    `${slug} (${slug === "v0" ? 1 : 0})`
  );
  assertEquals(tools, `Tools (builtWith): ${counted.join(", ")}`);
  assertEquals(pricing, "Pricing: free, freemium, paid, open-source, contact");
  assertEquals(accents!.startsWith("Accents: Lagoon #00CBEA, Iris #684CFF, "), true, accents);
  assertEquals(limits!.startsWith("API limits: nameMax 60, taglineMax 120, "), true, limits);
  assertEquals(tiers, "Promotion tiers:");

  const [answers, help] = await said("help", { query: "badge" });
  assertEquals(answers.split("\n\n"), [
    `${help.count} of ${help.count} answers. All answers: http://projectory.test/help.md`,
    ...help.entries.map(({ q, a }: { q: string; a: string }) => `## ${q}\n${a}`),
  ]);

  const [none] = await said("help", { query: "zzzzz" });
  assertEquals(
    none,
    "No matches. Try fewer words. All answers: http://projectory.test/help.md",
  );

  const [places, { free }] = await said("where_to_promote");
  assertEquals(
    places.split("\n").slice(0, 2),
    [
      "List it for free on Projectory, without an account. Call submit_project with name, url and tagline, or POST " +
      "them to <http://projectory.test/api/v1/projects>. Humans can use <http://projectory.test/submit>. " +
      "It goes live immediately. It is ranked only by votes, clicks and age.",
      "",
    ],
  );
  const { method, url, body } = free.api;
  const { status } = await app.request(new URL(url).pathname, { method, json: body });
  assertEquals([free.tool, status], ["submit_project", 201], "the example may be sent as it is");
});

Deno.test("a search without exact matches shows the nearest ones and says where the words are found", async () => {
  await using app = await testApp();
  await submit(app, { name: "Tide Tables", category: "design" });
  await share(app, { title: "Read the tide", kind: "prompt" });
  const search = async (tool: string, args: Record<string, unknown>) => {
    const { structuredContent, content } = await callTool(app, tool, args);
    return [structuredContent.nearest, content[0].text.split("\n").slice(1)];
  };
  const far = { query: "tide zebra yonder qualms" };
  const [isNearest, lines] = await search("search_projects", far);
  assertEquals(isNearest, true);
  assertEquals(lines[0], "- **Tide Tables** (tide-tables): A thing that does one thing");
  assertEquals((await search("search_skills", far))[0], true);
  assertEquals(await search("search_projects", { query: "tide", category: "game" }), [false, [
    "Without filters there is 1 project.",
    "search_skills finds 1 skill.",
  ]]);
  assertEquals(await search("search_projects", { category: "game" }), [undefined, []]);
  await submit(app, { name: "Zebra Run", tagline: "Along the coast", category: "game" });
  await submit(app, { name: "Tide Yonder", tagline: "Swim off the coast", category: "design" });
  const loose = { query: "tide yonder coast", category: "game" };
  const [isLoose, loosely] = await search("search_projects", loose);
  assertEquals(isLoose, true);
  assertStringIncludes(loosely[0], "**Zebra Run**");
  assert(loosely.includes("Without filters there is 1 project."), loosely.join("\n"));
  assertEquals((await search("search_projects", { query: "tide" }))[0], false);
});
