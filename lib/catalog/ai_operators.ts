import { type FamilyId, familyOf } from "./ai_families.ts";

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
  crawlers: readonly string[],
  forUsers: readonly string[],
][] = [
  // https://platform.openai.com/docs/bots
  ["OpenAI", ["GPTBot", "OAI-SearchBot", "OAI-AdsBot"], ["ChatGPT-User", "codex_cli_rs"]],
  // https://support.claude.com/en/articles/8896518
  ["Anthropic", ["ClaudeBot", "Claude-SearchBot", "Claude-Web", "anthropic-ai"], [
    "Claude-User",
    "Claude-Code",
    "claude-cli",
  ]],
  // https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers
  ["Google", ["Google-CloudVertexBot"], [
    "Google-Agent",
    "GoogleAgent-Mariner",
    "Google-NotebookLM",
    "Google-Gemini-CLI",
    "GeminiCLI",
    "Gemini-Deep-Research",
  ]],
  // https://developers.facebook.com/docs/sharing/webmasters/web-crawlers
  ["Meta", ["meta-externalagent", "meta-webindexer"], ["meta-externalfetcher"]],
  ["xAI", ["GrokBot"], ["xAI-Grok", "Grok-DeepSearch"]],
  ["DeepSeek", ["DeepSeekBot"], []],
  // https://docs.mistral.ai/robots
  ["Mistral AI", ["MistralAI-Index"], ["MistralAI-User"]],
  ["Moonshot AI", ["Kimibot", "Kimi-SearchBot"], ["Kimi-User"]],
  // https://docs.perplexity.ai/guides/bots
  ["Perplexity", ["PerplexityBot"], ["Perplexity-User"]],
  // https://developer.amazon.com/amazonbot
  ["Amazon", ["Amazonbot", "Amzn-SearchBot", "bedrockbot"], [
    "Amzn-User",
    "AmazonBuyForMe",
    "NovaAct",
  ]],
  ["Microsoft", ["AzureAI-SearchBot"], []],
  ["ByteDance", ["Bytespider", "TikTokSpider"], []],
  ["Cohere", ["cohere-training-data-crawler"], ["cohere-ai"]],
  ["Zhipu AI", ["ChatGLM-Spider"], []],
  ["Huawei", ["PanguBot"], []],
  ["Cognition", [], ["Devin"]],
  ["Manus", [], ["Manus-User"]],
  ["Anysphere", [], ["Cursor"]],
  ["DuckDuckGo", [], ["DuckAssistBot"]],
  ["You.com", ["YouBot"], []],
  ["Phind", ["PhindBot"], []],
  ["Andi", ["Andibot"], []],
  ["iAsk", ["iAskBot", "iaskspider"], []],
  ["Common Crawl", ["CCBot"], []],
  ["Ai2", ["AI2Bot", "Ai2Bot-Dolma", "AI2Bot-DeepResearchEval"], []],
  ["LAION", ["LAIONDownloader", "img2dataset"], []],
  ["Diffbot", ["Diffbot"], []],
  ["Firecrawl", ["FirecrawlAgent"], []],
  ["Exa", ["ExaBot", "ExaSearchBot"], []],
  ["Tavily", ["TavilyBot"], []],
  ["Linkup", ["LinkupBot"], []],
  ["Cloudflare", ["Cloudflare-AutoRAG"], []],
  ["Atlassian", ["atlassian-bot"], []],
  ["opencode", [], ["opencode"]],
];

/** Every known AI user agent, by operator. */
export const aiUserAgents: readonly AiUserAgent[] = Object.freeze(
  published.flatMap(([operator, crawlers, forUsers]) => {
    const family = familyOf({ maker: operator });
    return [...crawlers, ...forUsers].map((name, i) =>
      Object.freeze({ name, operator, family, isCrawler: i < crawlers.length })
    );
  }),
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
