import { isbot } from "isbot";
import { type AiUserAgent, detectAiAgent } from "../catalog/ai_operators.ts";

/** What a user agent tells: a known AI agent's, a person's browser, or neither. */
export interface UserAgentFacts {
  aiAgent: AiUserAgent | null;
  isBrowser: boolean;
}

/** User agents whose facts are kept; a few make up almost all requests, and looking costs microseconds. */
const KEPT = 2000;
const known = new Map<string, UserAgentFacts>();

/** Recognises a user agent. A browser says Mozilla and is no known bot or bare HTTP client. */
export function recognise(userAgent: string): UserAgentFacts {
  let facts = known.get(userAgent);
  if (facts === undefined) {
    const aiAgent = detectAiAgent(userAgent);
    const isBrowser = userAgent.startsWith("Mozilla/") && !isbot(userAgent);
    if (known.size >= KEPT) known.clear();
    known.set(userAgent, facts = { aiAgent, isBrowser });
  }
  return facts;
}
