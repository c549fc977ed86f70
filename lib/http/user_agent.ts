import { createIsbotFromList, isbot, list } from "isbot";
import { Lru } from "../cache/lru.ts";
import { type AiUserAgent, detectAiAgent } from "../catalog/ai_operators.ts";

/** What a user agent tells us: a known AI agent, a person's browser, or neither. */
interface UserAgentFacts {
  aiAgent: AiUserAgent | null;
  isBrowser: boolean;
  /**
   * Whether it visits sites on its own. Bare HTTP clients and automated browsers go where they are
   * sent.
   */
  isCrawler: boolean;
}

/**
 * HTTP clients under their own names. isbot treats them as bots, so our crawler list leaves out the
 * patterns that match them.
 */
const BARE_CLIENTS = [
  "Apache-HttpClient/4.5 (Java/17)",
  "Deno/2.9.6",
  "Go-http-client/2.0",
  "Java/17",
  "PostmanRuntime/7.36.0",
  "Wget/1.21",
  "curl/8.5.0",
  "got (https://github.com/sindresorhus/got)",
  "libwww-perl/6.72",
  "my-agent/1.0",
  "node",
  "python-requests/2.32.0",
];
const DRIVEN_BROWSERS = [
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
];
const isCrawlingClient = botsBut(BARE_CLIENTS);
const isCrawlingBrowser = botsBut(DRIVEN_BROWSERS);

function botsBut(clients: string[]): (userAgent: string) => boolean {
  const matches = (pattern: string) => clients.some((ua) => new RegExp(pattern, "i").test(ua));
  return createIsbotFromList(list.filter((pattern) => !matches(pattern)));
}

/**
 * How many user agents are cached. A few account for almost all requests, and recognizing one takes
 * microseconds.
 */
const known = new Lru<UserAgentFacts>({ max: 2_000 });

/**
 * How many characters of a user agent are examined. Longer ones are not cached, because the cache
 * would keep their text.
 */
const LOOKED_AT = 1_000;

/** Recognizes a user agent. A browser says Mozilla and is not a known bot or bare HTTP client. */
export function recognize(userAgent: string): UserAgentFacts {
  if (userAgent.length > LOOKED_AT) return factsOf(userAgent.slice(0, LOOKED_AT));
  return known.get(userAgent) ?? known.set(userAgent, factsOf(userAgent));
}

function factsOf(userAgent: string): UserAgentFacts {
  const saysMozilla = userAgent.startsWith("Mozilla/");
  return {
    aiAgent: detectAiAgent(userAgent),
    isBrowser: saysMozilla && !isbot(userAgent),
    isCrawler: saysMozilla ? isCrawlingBrowser(userAgent) : isCrawlingClient(userAgent),
  };
}
