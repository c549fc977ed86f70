import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { countTokens as countOlder } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Deps } from "@/lib/app/deps.ts";
import { categorySlug } from "@/lib/catalog/categories.ts";
import { toolSlug } from "@/lib/catalog/tools.ts";
import { DAY_MS } from "@/lib/clock.ts";
import { LIMITS } from "@/lib/limits.ts";
import { listingKind } from "@/lib/listings/catalogue.ts";
import { clip, estimateTokens, RESULT_TOKENS } from "@/lib/mcp/budget.ts";
import type { ListingBrief } from "@/lib/mcp/listing_text.ts";
import { RESOURCE_LIST } from "@/lib/mcp/resources.ts";
import { WebDouble } from "../fetching/web_double.ts";
import { TEST_NOW, testApp } from "../support/app.ts";
import { addressOf, submit } from "../support/listings.ts";
import { callTool, rpc } from "../support/mcp.ts";
import { share } from "../support/skills.ts";
import { storedListing } from "../support/stored_listing.ts";

const LISTINGS = 1_000;

/** Texts of pseudorandom units, the same in every run. */
function noise(unit: (at: number) => string): (length: number) => string {
  let seed = 1;
  const longest = Array.from({ length: 20_000 }, () => unit(seed = seed * 48_271 % 2_147_483_647))
    .join("");
  return (length) => longest.slice(0, length);
}
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Texts by how many tokens they take: prose, rare letters, emoji, characters that Markdown escapes, common and
 * random characters of large scripts, random letters, rare Latin letters.
 */
const TEXTS: ((length: number) => string)[] = [
  (length) =>
    "An honest notebook that answers back and keeps what you wrote ".repeat(40).slice(0, length),
  (length) => "ꙮꀀꔹ𖠀".repeat(length).slice(0, length - 2),
  (length) => "🧿🫠🪬".repeat(length).slice(0, Math.floor(length / 2) * 2),
  (length) => "[](#)*_`|!<>{}~\\".repeat(length).slice(0, length),
  (length) => "書の漢字説明文".repeat(length).slice(0, length),
  (length) => "ᚠᛇᚻᛒᛦᚦ".repeat(length).slice(0, length),
  noise((at) => String.fromCharCode(0xac00 + at % 11_172)),
  noise((at) => String.fromCharCode(0x4e00 + at % 20_000)),
  noise((at) => LETTERS[at % LETTERS.length]!),
  noise((at) => String.fromCharCode(0x250 + at % 96)),
];
const RANDOM_LETTERS = TEXTS[8]!;

/** Texts that take more tokens than they seem to. A skill can have any of them. */
const CONTENTS: Record<string, (length: number) => string> = {
  "digits separated by spaces": noise((at) => `${at % 10} `),
  "digits separated by commas": noise((at) => `${at % 10}, `),
  "a drawing": noise((at) => `${"MLCQHV"[at % 6]}${at % 7} ${at % 10}`),
  "a table of numbers": noise((at) => `| ${at % 10} | ${at % 7} |\n`),
  "alternating letters and digits": noise((at) => LETTERS[at % 26]! + at % 10),
  "endlessly repeated common pairs": (length) => "tatite".repeat(length).slice(0, length),
  "common pairs in capitals": (length) => "TATITE".repeat(length).slice(0, length),
  "lines of one letter": noise((at) => `${LETTERS[at % 26]}\n`),
  "control characters": noise((at) => String.fromCharCode(0x80 + at % 32)),
  "Latin-1 symbols": noise((at) => String.fromCharCode(0xa1 + at % 95)),
  "Greek": noise((at) => String.fromCharCode(0x391 + at % 57)),
  "Cyrillic": noise((at) => String.fromCharCode(0x400 + at % 96)),
  "Hebrew": noise((at) => String.fromCharCode(0x591 + at % 90)),
  "Arabic": noise((at) => String.fromCharCode(0x610 + at % 200)),
};

/** Fills the catalogue; `pick` chooses the text of the n-th listing. */
function fill(deps: Deps, pick: (n: number) => (length: number) => string): void {
  const { catalogue } = deps;
  const { put } = listingKind(catalogue);
  for (let n = 0; n < LISTINGS; n++) {
    const text = pick(n);
    const stored = storedListing(`listing-${n}`, {
      name: text(60),
      tagline: text(120),
      url: `https://${n}.example.com/${text === TEXTS[0] ? "home" : "%E2%98%83".repeat(40)}`,
      category: categorySlug.options[n % categorySlug.options.length]!,
      builtWith: toolSlug.options.slice(n % 20, n % 20 + 6),
      createdAt: TEST_NOW - n * 60_000,
    });
    put({ stored, extras: [text(2000)] }, { votes: n % 50, uses: n % 70 });
  }
  const span = { startsAt: TEST_NOW - DAY_MS, endsAt: TEST_NOW + DAY_MS };
  for (let n = 0; n < 30; n++) {
    catalogue.setPromotion(`listing-${n}`, [{
      tierId: "spotlight-30",
      ...span,
    }]);
    catalogue.setGem(`listing-${n + 100}`, { note: "Full entry, few votes", since: TEST_NOW });
  }
  catalogue.setFrontRow([{ slug: "listing-40", ...span }]);
}

/** Reads with the largest allowed arguments, in addition to the defaults. */
const READS: [tool: string, args: Record<string, unknown>][] = [
  ["where_to_promote", {}],
  ["about_service", {}],
  ["help", {}],
  ["help", { limit: 100 }],
  ["search_projects", {}],
  ["search_projects", { limit: 100, sort: "new" }],
  ["search_projects", { limit: 100, sort: "top", category: "saas" }],
  ["get_project", { slug: "listing-0" }],
  ["get_project", { slug: "listing-1" }],
  ["get_project", { slug: "listing-2" }],
  ["get_project", { slug: "listing-3" }],
  ["get_project", { slug: "listing-4" }],
  ["trending", {}],
  ["trending", { limit: 25 }],
  ["list_categories_and_tools", {}],
  ["get_promotion_options", {}],
  ["list_auctions", {}],
  ["best_ai_leaderboard", { limit: 250, window: "all" }],
  ["guestbook", {}],
  ["ai_of_the_day", {}],
  ["search_skills", { limit: 100 }],
  ["get_skill", { slug: "rare" }],
  ["get_skill", { slug: "long" }],
];

/** Resources at their maximum length. */
const RESOURCES = [
  ...RESOURCE_LIST.map(({ uri }) => uri),
  "directory://project/listing-1",
  "directory://skill/rare",
  "directory://skill/long",
];

for (
  const [what, pick] of [
    ["prose", () => TEXTS[0]!],
    ["every kind of token-heavy text", (n: number) => TEXTS[n % TEXTS.length]!],
    ["only rare letters", () => TEXTS[1]!],
    ["only random letters", () => RANDOM_LETTERS],
  ] as [string, (n: number) => (length: number) => string][]
) {
  Deno.test(`every read stays under 8,000 tokens with 1,000 listings of ${what}`, async () => {
    // Help says most on a site that sends notices.
    const env = { FETCHER_PORT: "9", SMTP_URL: "smtp://localhost", CONTACT_EMAIL: "a@b.example" };
    await using app = await testApp({ env });
    fill(app.deps, pick);
    const text = pick(1);
    await share(app, { title: "Rare", kind: "prompt", summary: text(200), content: text(20_000) });
    await share(app, {
      title: "Long",
      kind: "prompt",
      content: "An honest instruction. ".repeat(800),
      installHint: text(300),
    });
    for (let n = 0; n < 30; n++) {
      await share(app, { title: text(80), summary: text(200), kind: "prompt" });
    }
    for (let n = 0; n < 25; n++) {
      const args = { agentName: `${n} ${text(50)}`, catchphrase: text(140), model: text(60) };
      await callTool(app, "check_in", args, { address: addressOf(n) });
      await callTool(app, "vote_best_ai", { candidate: "claude", yourName: `${n} ${text(50)}` }, {
        address: addressOf(n),
      });
    }
    const over: string[] = [];
    for (const [tool, args] of READS) {
      const result = await callTool(app, tool, args);
      assertEquals(result.isError, undefined, `${tool}: ${JSON.stringify(result).slice(0, 300)}`);
      const tokens = countTokens(JSON.stringify(result));
      if (tokens >= RESULT_TOKENS) over.push(`${tool} ${JSON.stringify(args)}: ${tokens} tokens`);
    }
    for (const uri of RESOURCES) {
      const { body } = await rpc(app, "resources/read", { uri });
      const tokens = countTokens(JSON.stringify(body.result));
      if (tokens >= RESULT_TOKENS) over.push(`${uri}: ${tokens} tokens`);
    }
    assertEquals(over, []);
  });
}

Deno.test("search_projects pages through every listing once by nextOffset, however many fit in a result", async () => {
  await using app = await testApp();
  fill(app.deps, (n) => TEXTS[n % 5]!);
  const seen = new Set<string>();
  let offset: number | null = 0;
  let calls = 0;
  while (offset !== null && calls++ < 200) {
    const args = { sort: "new", limit: 100, offset };
    const { structuredContent } = await callTool(app, "search_projects", args);
    for (const { slug } of structuredContent.projects) {
      assert(!seen.has(slug), slug);
      seen.add(slug);
    }
    offset = structuredContent.nextOffset;
  }
  assertEquals(seen.size, LISTINGS);
});

Deno.test("estimateTokens never undercounts text of a single kind", () => {
  for (const text of [...TEXTS, ...Object.values(CONTENTS)]) {
    const sample = text(500);
    const counted = Math.max(countTokens(sample), countOlder(sample));
    assert(estimateTokens(sample) >= counted, `${sample.slice(0, 20)}: ${counted}`);
  }
});

Deno.test("a record is under 8,000 tokens even if every field has the longest, most token-heavy text", async () => {
  await using web = new WebDouble();
  await using app = await testApp({ fetcher: web.fetcher });
  const over: string[] = [];
  for (const [n, text] of TEXTS.entries()) {
    const options = { address: addressOf(n) };
    const call = async (tool: string, args: Record<string, unknown>) => {
      const result = await callTool(app, tool, args, options);
      assertEquals(result.isError, undefined, `${tool}: ${JSON.stringify(result).slice(0, 300)}`);
      const sent = JSON.stringify(result);
      const tokens = Math.max(countTokens(sent), countOlder(sent));
      if (tokens >= RESULT_TOKENS) over.push(`${tool} of text ${n}: ${tokens} tokens`);
      return result.structuredContent;
    };
    const address = `https://n${n}.example.com/${"%E2%98%83".repeat(50)}`;
    const { project, editKey } = await call("submit_project", {
      name: text(60),
      url: address,
      tagline: text(120),
      description: text(2000),
      tags: ["a", "b", "c", "d", "e", "f"].map((tag) => `${tag}-9-z-q-x-7-k-w-j-v-3-h`),
      builtWith: toolSlug.options.slice(0, 6),
      logoUrl: address,
      repoUrl: address,
      submittedBy: text(60),
    });
    await call("get_project", { slug: project.slug });
    await call("update_project", { slug: project.slug, editKey, fields: { tagline: text(119) } });
    await call("update_project", { slug: project.slug, prove: "start" });
    await call("get_project", { slug: project.slug, editKey });
    const { skill } = await call("submit_skill", {
      title: text(80),
      summary: text(200),
      kind: "prompt",
      content: text(20_000),
      installHint: text(500),
      author: text(60),
      category: "c-9-z-q-x-7-k-w-j-v-3-h",
      tags: ["a", "b", "c", "d", "e", "f"].map((tag) => `${tag}-9-z-q-x-7-k-w-j-v-3-h`),
      worksWith: toolSlug.options,
      license: "CC-BY-NC-ND-3.0-IGO",
      origin: "third-party",
      sourceUrl: address,
    });
    await call("get_skill", { slug: skill.slug });
    for (const uri of [`directory://project/${project.slug}`, `directory://skill/${skill.slug}`]) {
      const { body } = await rpc(app, "resources/read", { uri });
      const sent = JSON.stringify(body.result);
      const tokens = Math.max(countTokens(sent), countOlder(sent));
      if (tokens >= RESULT_TOKENS) over.push(`${uri} of text ${n}: ${tokens} tokens`);
    }
  }
  assertEquals(over, []);
});

for (const [what, text] of Object.entries(CONTENTS)) {
  Deno.test(`a skill of ${what} is under 8,000 tokens and shows over a twelfth of its content`, async () => {
    await using app = await testApp();
    const content = text(19_990);
    const { slug } = await share(app, { kind: "prompt", content });
    const result = await callTool(app, "get_skill", { slug });
    const { body } = await rpc(app, "resources/read", { uri: `directory://skill/${slug}` });
    for (const sent of [JSON.stringify(result), JSON.stringify(body.result)]) {
      const tokens = Math.max(countTokens(sent), countOlder(sent));
      assert(tokens < RESULT_TOKENS, `${tokens}`);
    }
    assert(result.structuredContent.content.length > content.length / 12);
  });
}

Deno.test("get_skill counts what it shows in characters, like the skill's length", async () => {
  await using app = await testApp();
  const { slug } = await share(app, { kind: "prompt", content: "😀".repeat(9_000) });
  const { content, structuredContent } = await callTool(app, "get_skill", { slug });
  const shown = [...structuredContent.content].length;
  assertStringIncludes(content[0].text, `the first ${shown} of 9000 characters`);
});

Deno.test("a shortened description is marked in text and data, with a link to the rest", async () => {
  await using app = await testApp();
  const { project } = await submit(app, { description: TEXTS[5]!(2000) });
  const { content, structuredContent } = await callTool(app, "get_project", { slug: project.slug });
  assertEquals(structuredContent.project.descriptionCut, true);
  assert(project.description!.startsWith(structuredContent.project.description));
  assertStringIncludes(content[0].text, `Rest of the description: <${project.apiUrl}>`);
});

Deno.test("trending says in text and data whether its lists are shortened", async () => {
  await using app = await testApp();
  fill(app.deps, () => TEXTS[1]!);
  for (const [limit, cut] of [[25, true], [1, false]] as const) {
    const { structuredContent, content } = await callTool(app, "trending", { limit });
    assertEquals(structuredContent.cut, cut);
    assertEquals(content[0].text.includes("Shortened to fit. search_projects"), cut);
  }
});

Deno.test("listings with the most token-heavy fields don't crowd others out of lists", async () => {
  await using app = await testApp();
  fill(app.deps, () => TEXTS[5]!);
  for (const tool of ["trending", "where_to_promote"]) {
    const { structuredContent } = await callTool(app, tool, {});
    for (const name of tool === "trending" ? ["promoted", "hot", "new", "gems"] : ["featured"]) {
      const list = structuredContent[name];
      assert(list.length >= 2, `${tool} ${name}: ${list.length}`);
      for (const { tagline, url } of list) {
        assert(tagline.length <= LIMITS.taglineMax);
        assertMatch(url, /^http:\/\/projectory\.test\/go\//);
      }
    }
  }
  const { projects } = (await callTool(app, "search_projects", {})).structuredContent;
  assertEquals(projects.length, 10);
});

Deno.test("plain text is shown in full, and a gem with its reason", async () => {
  await using app = await testApp();
  fill(app.deps, () => TEXTS[0]!);
  const { structuredContent, content } = await callTool(app, "trending", {});
  for (const { tagline, url } of structuredContent.new) {
    assert(!tagline.endsWith("…"), tagline);
    assertMatch(url, /example\.com\/home$/);
  }
  for (const { gemNote } of structuredContent.gems) assertEquals(gemNote, "Full entry, few votes");
  assertStringIncludes(content[0].text, ", hidden gem <");
  assert(!structuredContent.promoted.some((entry: ListingBrief) => "gemNote" in entry));
});

Deno.test("the standings list every write-in that fits, and say so if some don't", async () => {
  await using app = await testApp();
  const name = (n: number) => `${n}-${"qzxjvkwq".repeat(4)}`.slice(0, LIMITS.writeInMax);
  const write = (n: number) =>
    callTool(app, "vote_best_ai", { candidate: "other", writeIn: name(n), yourName: `a-${n}` }, {
      address: addressOf(n),
    });
  const ask = async (limit: number) => {
    const { structuredContent, content } = await callTool(app, "best_ai_leaderboard", { limit });
    const { standings, cut } = structuredContent;
    assertEquals(content[0].text.includes("Shortened to fit. More: <"), cut);
    return { shown: standings.length, cut };
  };
  for (let n = 0; n < 30; n++) await write(n);
  assertEquals(await ask(250), { shown: 30, cut: false });
  assertEquals(await ask(20), { shown: 20, cut: false });
  for (let n = 30; n < 200; n++) await write(n);
  const { shown, cut } = await ask(250);
  assert(shown > 50 && shown < 200, `${shown}`);
  assert(cut);
});

Deno.test("the standings stay under 8,000 tokens even if agents and write-ins have token-heavy names", async () => {
  await using app = await testApp();
  const runes = TEXTS[5]!;
  for (let n = 0; n < 25; n++) {
    const ballot = {
      candidate: "other",
      writeIn: `${n}${runes(27)}`,
      yourName: `${n} ${runes(57)}`,
    };
    await callTool(app, "vote_best_ai", ballot, { address: addressOf(n) });
  }
  const result = await callTool(app, "best_ai_leaderboard", { limit: 25 });
  const { standings, topAgents, cut } = result.structuredContent;
  assert(countTokens(JSON.stringify(result)) < RESULT_TOKENS);
  assert(standings.length > 5 && topAgents.length > 5, `${standings.length} ${topAgents.length}`);
  assert(cut);
});

Deno.test("clip cuts between whole characters and leaves alone what fits", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 200, size: "max" }),
      fc.nat(80),
      (text, budget) => {
        const { text: cut, clipped } = clip(text, budget, estimateTokens);
        assert(text.startsWith(cut));
        assert(cut.isWellFormed());
        assertEquals(clipped, cut.length < text.length);
        if (!clipped) assertEquals(cut, text);
      },
    ),
  );
});

Deno.test("lists of normal text aren't shortened: 10 entries by default, at least 20 on request", async () => {
  await using app = await testApp();
  fill(app.deps, () => TEXTS[0]!);
  const shown = async (tool: string, args: Record<string, unknown>) =>
    (await callTool(app, tool, args)).structuredContent;
  assertEquals((await shown("search_projects", {})).projects.length, 10);
  assert((await shown("search_projects", { limit: 100 })).projects.length >= 20);
  const { promoted, hot, gems } = await shown("trending", {});
  for (const list of [promoted, hot, gems]) assert(list.length >= 5, String(list.length));
});

Deno.test("an error is under 8,000 tokens even with many long unknown field names", async () => {
  await using app = await testApp();
  const unknown = Object.fromEntries(
    Array.from({ length: 80 }, (_, n) => [`${n}${TEXTS[1]!(100)}`, 1]),
  );
  for (const tool of ["check_in", "submit_skill", "submit_project", "about_service"]) {
    const result = await callTool(app, tool, unknown);
    const { error } = JSON.parse(result.content[0].text);
    const code = tool === "check_in" ? "agent_name_required" : "invalid_input";
    assertEquals([result.isError, error.code], [true, code]);
    assert(error.details.length >= 50);
    const sent = JSON.stringify(result);
    const tokens = Math.max(countTokens(sent), countOlder(sent));
    assert(tokens < RESULT_TOKENS, `${tool}: ${tokens}`);
  }
});
