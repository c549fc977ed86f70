import { assert, assertEquals, assertMatch } from "@std/assert";
import { accents, parseAccent } from "@/lib/catalog/accents.ts";
import { aiFamilies, familyId, familyOf } from "@/lib/catalog/ai_families.ts";
import { aiUserAgents, detectAiAgent } from "@/lib/catalog/ai_operators.ts";
import { categories } from "@/lib/catalog/categories.ts";
import { familyThemes } from "@/lib/catalog/family_themes.ts";
import { candidates } from "@/lib/catalog/poll_candidates.ts";
import { pricingModels } from "@/lib/catalog/pricing.ts";
import { products } from "@/lib/catalog/products.ts";
import { skillKinds } from "@/lib/catalog/skill_kinds.ts";
import { synonyms } from "@/lib/catalog/synonyms.ts";
import { siteThemes, themeColors } from "@/lib/catalog/themes.ts";
import { tools } from "@/lib/catalog/tools.ts";

const contract: readonly [string, readonly string[], string][] = [
  [
    "categories",
    categories.map((c) => c.slug),
    "saas, ai-agent, dev-tool, mobile-app, open-source, business, ecommerce, content, game, design, community, " +
    "nonprofit, other",
  ],
  [
    "tools",
    tools.map((t) => t.slug),
    "claude, claude-code, chatgpt, codex, grok, gemini, cursor, github-copilot, windsurf, v0, lovable, bolt, replit, " +
    "devin, manus, perplexity, deepseek, mistral, llama, qwen, kimi, hugging-face, ollama, n8n, zapier, make, human, " +
    "other",
  ],
  [
    "accents",
    accents.map((a) => a.hex),
    "#00CBEA, #684CFF, #C6FF3D, #FF5A1F, #FFB000, #3DDCFF, #3D6BFF, #9B6BFF, #3DFFB0, #E5243B, #F2E8CF",
  ],
  ["pricing", pricingModels.map((p) => p.slug), "free, freemium, paid, open-source, contact"],
  [
    "skill kinds",
    skillKinds.map((k) => k.kind),
    "skill-md, agents-md, cursor-rules, prompt, mcp-server, gpt-instructions, workflow",
  ],
  [
    "poll candidates",
    candidates.map((c) => c.slug),
    "claude, chatgpt, grok, gemini, llama, deepseek, qwen, mistral, kimi, glm, minimax, gemma, phi, nemotron, " +
    "command-r, perplexity, copilot, other",
  ],
  [
    "AI families",
    aiFamilies.map((f) => f.id),
    "anthropic, openai, xai, google, meta, deepseek, alibaba, mistral, moonshot, other",
  ],
  [
    "site themes",
    siteThemes.map((t) => t.id),
    "daily, index, ivory, phosphor, paper, amber, tide, chalk",
  ],
];

for (const [name, values, expected] of contract) {
  Deno.test(`catalog of ${name} has the contract's values in the contract's order`, () => {
    assertEquals(values, expected.split(", "));
  });
}

Deno.test("catalogs and their items are frozen, and every item has a name", () => {
  for (
    const list of [categories, tools, accents, pricingModels, skillKinds, candidates, siteThemes]
  ) {
    assert(Object.isFrozen(list));
    for (const item of list) {
      assert(Object.isFrozen(item));
      assert(item.name.trim().length > 0);
    }
  }
});

Deno.test("tools have a maker, a #RRGGBB color and a glyph of one or two characters", () => {
  for (const tool of tools) {
    assert(tool.maker.length > 0, tool.slug);
    assert(/^#[0-9A-F]{6}$/.test(tool.color), tool.slug);
    // Fonts on phones and plain Linux cover Unicode up to Braille, and little beyond.
    assertMatch(tool.glyph, /^[!-\u28FF]{1,2}$/, tool.slug);
  }
});

Deno.test("parseAccent accepts only a hex code or a color name, in any case", () => {
  for (const accent of accents) {
    assertEquals(parseAccent(accent.hex.toLowerCase()), accent);
    assertEquals(parseAccent(accent.hex), accent);
    assertEquals(parseAccent(accent.name.toUpperCase()), accent);
  }
  for (const wrong of ["", "#000000", "00CBEA", "toString", "__proto__"]) {
    assertEquals(parseAccent(wrong), undefined, wrong);
  }
});

Deno.test("familyOf checks maker, then model, then name, and falls back to other", () => {
  const table: [Parameters<typeof familyOf>[0], string, string][] = [
    [{ maker: "Anthropic" }, "anthropic", "maker"],
    [{ maker: "anthropic pbc", model: "gpt-5" }, "anthropic", "maker before model"],
    [{ maker: "Cohere", model: "Claude Opus 4" }, "anthropic", "unknown maker, known model"],
    [{ model: "gpt-5.2", agentName: "Claude" }, "openai", "model before name"],
    [{ model: "GPT5" }, "openai", "digits joined to the word"],
    [{ model: "gpt4o-mini" }, "openai", "letters after the digits"],
    [{ model: "o3-mini" }, "openai", "reasoning models"],
    [{ agentName: "ClaudeCode" }, "anthropic", "humps are boundaries"],
    [{ agentName: "claudette" }, "other", "a word that only starts the same"],
    [{ agentName: "Claude the Third" }, "anthropic", "name"],
    [{ maker: "xAI" }, "xai", "maker"],
    [{ maker: "x.ai" }, "xai", "punctuation is a boundary"],
    [{ model: "grok-4" }, "xai", "model"],
    [{ maker: "Google DeepMind" }, "google", "maker"],
    [{ model: "gemini-3-pro" }, "google", "model"],
    [{ model: "Gemma 3 27B" }, "google", "model"],
    [{ maker: "Meta" }, "meta", "maker"],
    [{ agentName: "Meta Analyst" }, "other", "the word meta says nothing in a name"],
    [{ model: "Llama3.3" }, "meta", "model"],
    [{ agentName: "ollama runner" }, "other", "ollama is not llama"],
    [{ model: "deepseek-r1-distill-llama-70b" }, "deepseek", "the first word decides"],
    [{ maker: "Alibaba Cloud" }, "alibaba", "maker"],
    [{ model: "Qwen2.5-Max" }, "alibaba", "model"],
    [{ model: "Mixtral 8x22B" }, "mistral", "model"],
    [{ maker: "Moonshot AI" }, "moonshot", "maker"],
    [{ model: "kimi-k2" }, "moonshot", "model"],
    [{ maker: "ＡＮＴＨＲＯＰＩＣ" }, "anthropic", "compatibility forms fold"],
    [{ agentName: "Egypt" }, "other", "gpt inside a word"],
    [{}, "other", "nothing said"],
    [{ maker: null, model: "", agentName: "Bob" }, "other", "nothing known"],
  ];
  for (const [said, family, why] of table) {
    assertEquals(familyOf(said), family, `${JSON.stringify(said)}: ${why}`);
  }
});

Deno.test("familyOf knows each maker and model by all of its names", () => {
  const makers: Record<string, string> = {
    openai: "Open AI",
    xai: "X.AI",
    google: "Google, Alphabet",
    meta: "Meta, Facebook",
    deepseek: "Deep Seek",
    alibaba: "Alibaba",
    mistral: "MistralAI",
    moonshot: "MoonshotAI",
  };
  const models: Record<string, string> = {
    anthropic: "Anthropic, Claude",
    openai: "OpenAI, ChatGPT, GPT, Codex, o1, o3, o4",
    xai: "xAI, Grok",
    google: "DeepMind, Gemini, Gemma",
    meta: "Meta AI, Llama",
    deepseek: "DeepSeek",
    alibaba: "Qwen, QwQ, Tongyi",
    mistral: "Mistral, Mixtral, Ministral, Magistral, Codestral, Devstral, Pixtral, Le Chat",
    moonshot: "Moonshot, Kimi",
  };
  for (const [family, names] of Object.entries(makers)) {
    for (const maker of names.split(", ")) assertEquals(familyOf({ maker }), family, maker);
  }
  for (const [family, names] of Object.entries(models)) {
    for (const name of names.split(", ")) {
      for (const field of ["maker", "model", "agentName"]) {
        assertEquals(familyOf({ [field]: name }), family, `${field} ${name}`);
      }
    }
  }
});

Deno.test("detectAiAgent finds published User-Agent tokens and no look-alikes", () => {
  const table: [string, string | null][] = [
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
      "GPTBot",
    ],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
      "ChatGPT-User",
    ],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
      "ClaudeBot",
    ],
    ["claude-cli/2.0.1 (external, cli)", "claude-cli"],
    [
      "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
      "meta-externalagent",
    ],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
      "PerplexityBot",
    ],
    ["NotGPTBot/1.0", null],
    ["GPTBotany/1.0", null],
    ["curl/8.5.0", null],
    ["", null],
    ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", null],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Cursor/1.7.0 Chrome/138.0.0.0 Electron/37.0 Safari/537.36",
      null,
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
      null,
    ],
  ];
  for (const [header, name] of table) assertEquals(detectAiAgent(header)?.name ?? null, name);
  for (const agent of aiUserAgents) assertEquals(detectAiAgent(`${agent.name}/1.0`), agent);
});

Deno.test("every family has a curated theme with exactly the twelve colors", () => {
  assertEquals(Object.keys(familyThemes), [...familyId.options]);
  for (const theme of Object.values(familyThemes)) {
    assertEquals(Object.keys(theme.palette), [...themeColors]);
    assert(theme.name.length <= 30);
  }
});

Deno.test("each line of synonyms and products has different words, and products have a known kind", () => {
  const known = new Set(synonyms.flat());
  for (const line of [...synonyms, ...products]) {
    assertEquals(new Set(line).size, line.length, line.join(", "));
    assert(line.length > 1, line.join(", "));
    for (const words of line) assertMatch(words, /^[a-z0-9]+( [a-z0-9]+)*$/);
  }
  for (const [kind] of products) assert(known.has(kind!), kind);
});
