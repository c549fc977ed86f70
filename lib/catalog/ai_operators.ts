import type { FamilyId } from "./ai_families.ts";

/** One published user agent of an AI crawler, fetcher or agent. */
export interface AiUserAgent {
  /** The product token that its operator publishes. Its visits count under this name. */
  readonly name: string;
  readonly operator: string;
  readonly family: FamilyId;
  /** True if it visits sites on its own, not where a user's question leads. */
  readonly isCrawler: boolean;
}

/**
 * The tokens of each operator: those of crawlers, which visit sites on their own, and those of
 * agents that go where a user's question leads. Control tokens that no request sends
 * (Google-Extended, Applebot-Extended) are left out.
 */
const published: readonly [
  operator: string,
  family: FamilyId,
  crawlers: readonly string[],
  forUsers: readonly string[],
][] = [
  // https://platform.openai.com/docs/bots
  ["OpenAI", "openai", ["GPTBot", "OAI-SearchBot", "OAI-AdsBot"], ["ChatGPT-User", "codex_cli_rs"]],
  // https://support.claude.com/en/articles/8896518
  ["Anthropic", "anthropic", ["ClaudeBot", "Claude-SearchBot", "Claude-Web", "anthropic-ai"], [
    "Claude-User",
    "Claude-Code",
    "claude-cli",
  ]],
  // https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers
  ["Google", "google", ["Google-CloudVertexBot"], [
    "Google-Agent",
    "GoogleAgent-Mariner",
    "Google-NotebookLM",
    "Google-Gemini-CLI",
    "GeminiCLI",
    "Gemini-Deep-Research",
  ]],
  // https://developers.facebook.com/docs/sharing/webmasters/web-crawlers
  ["Meta", "meta", ["meta-externalagent", "meta-webindexer"], ["meta-externalfetcher"]],
  ["xAI", "xai", ["GrokBot"], ["xAI-Grok", "Grok-DeepSearch"]],
  ["DeepSeek", "deepseek", ["DeepSeekBot"], []],
  // https://docs.mistral.ai/robots
  ["Mistral AI", "mistral", ["MistralAI-Index"], ["MistralAI-User"]],
  ["Moonshot AI", "moonshot", ["Kimibot", "Kimi-SearchBot"], ["Kimi-User"]],
  // https://docs.perplexity.ai/guides/bots
  ["Perplexity", "other", ["PerplexityBot"], ["Perplexity-User"]],
  // https://developer.amazon.com/amazonbot
  ["Amazon", "other", ["Amazonbot", "Amzn-SearchBot", "bedrockbot"], [
    "Amzn-User",
    "AmazonBuyForMe",
    "NovaAct",
  ]],
  ["Microsoft", "other", ["AzureAI-SearchBot"], []],
  ["ByteDance", "other", ["Bytespider", "TikTokSpider"], []],
  ["Cohere", "other", ["cohere-training-data-crawler"], ["cohere-ai"]],
  ["Zhipu AI", "other", ["ChatGLM-Spider"], []],
  ["Huawei", "other", ["PanguBot"], []],
  ["Cognition", "other", [], ["Devin"]],
  ["Manus", "other", [], ["Manus-User"]],
  ["Anysphere", "other", [], ["Cursor"]],
  ["DuckDuckGo", "other", [], ["DuckAssistBot"]],
  ["You.com", "other", ["YouBot"], []],
  ["Phind", "other", ["PhindBot"], []],
  ["Andi", "other", ["Andibot"], []],
  ["iAsk", "other", ["iAskBot", "iaskspider"], []],
  ["Common Crawl", "other", ["CCBot"], []],
  ["Ai2", "other", ["AI2Bot", "Ai2Bot-Dolma", "AI2Bot-DeepResearchEval"], []],
  ["LAION", "other", ["LAIONDownloader", "img2dataset"], []],
  ["Diffbot", "other", ["Diffbot"], []],
  ["Firecrawl", "other", ["FirecrawlAgent"], []],
  ["Exa", "other", ["ExaBot", "ExaSearchBot"], []],
  ["Tavily", "other", ["TavilyBot"], []],
  ["Linkup", "other", ["LinkupBot"], []],
  ["Cloudflare", "other", ["Cloudflare-AutoRAG"], []],
  ["Atlassian", "other", ["atlassian-bot"], []],
  ["opencode", "other", [], ["opencode"]],
];

/** Every known AI user agent, by operator. */
export const aiUserAgents: readonly AiUserAgent[] = Object.freeze(
  published.flatMap(([operator, family, crawlers, forUsers]) => [
    ...crawlers.map((name) => Object.freeze({ name, operator, family, isCrawler: true })),
    ...forUsers.map((name) => Object.freeze({ name, operator, family, isCrawler: false })),
  ]),
);

const byToken = new Map(aiUserAgents.map((agent) => [agent.name.toLowerCase(), agent]));

// One linear pass over the header's product tokens. Grammar: RFC 9110, section 10.1.5.
const productToken = /[a-z0-9_-]+/gi;

/**
 * The known AI agent in a User-Agent header, or null. Whole product tokens are compared, in any
 * case, so "GPTBot/1.2" matches and "NotGPTBot" does not. A browser with a built-in assistant (a
 * desktop shell that sends "Cursor/1.0 Chrome/… Electron/…") is a person's, not an agent's.
 */
export function detectAiAgent(userAgent: string): AiUserAgent | null {
  if (/\bElectron\//.test(userAgent)) return null;
  for (const [token] of userAgent.matchAll(productToken)) {
    const agent = byToken.get(token.toLowerCase());
    if (agent) return agent;
  }
  return null;
}
