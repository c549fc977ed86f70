import { isbot } from "isbot";

/** Whether a user agent is a person's browser: it says Mozilla and is no known bot or bare HTTP client. */
export function isBrowser(userAgent: string): boolean {
  return userAgent.startsWith("Mozilla/") && !isbot(userAgent);
}
