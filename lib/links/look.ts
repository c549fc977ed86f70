/** Checks a listing's link, if its host's robots.txt allows it. */
import type { Fetcher } from "../fetching/fetcher.ts";
import type { Fetched, FetchProblem } from "../fetching/schema.ts";
import type { Seen } from "../listings/health.ts";
import { urlIdentity } from "../text/url_identity.ts";
import { isAllowed } from "./robots.ts";

/** Phrases on pages that block bots. With one of them, a 503 means gated, not unreachable. */
const BOT_WALL = /just a moment|captcha|verify (?:that )?you are (?:a )?human|challenge-platform/i;

const FAILED: Record<FetchProblem, Seen | null> = {
  no_address: "unreachable",
  unreachable: "unreachable",
  timeout: "unreachable",
  bad_certificate: "unreachable",
  too_many_redirects: "unreachable",
  bad_url: "unknown",
  private_address: "unknown",
  other_host: "unknown",
  // No request was sent, so nothing is known.
  busy: null,
};

/**
 * The result of checking a link; null if its host is getting too many requests from us. `robots`
 * gets the robots.txt of an origin. Throws if the fetcher is down.
 */
export async function look(
  fetcher: Pick<Fetcher, "get" | "name">,
  { url, robots }: { url: string; robots: (origin: string) => Promise<Fetched> },
): Promise<Seen | null> {
  const { origin, pathname, search } = new URL(url);
  const rules = await robots(origin);
  if (!rules.ok) return FAILED[rules.problem];
  if (rules.status >= 500) return "unknown";
  const asked = { name: fetcher.name, path: pathname + search };
  if (rules.status < 300 && !isAllowed(rules.body ?? "", asked)) return "unknown";
  return seenIn(url, await fetcher.get(url));
}

/** What a response says about a link. */
export function seenIn(url: string, answer: Fetched): Seen | null {
  if (!answer.ok) return FAILED[answer.problem];
  const { status, redirects, body } = answer;
  if ([401, 403, 407, 429, 451].includes(status)) return "gated";
  if (status === 503 && BOT_WALL.test(body ?? "")) return "gated";
  if (status === 404 || status === 410) return "gone";
  if (status >= 500) return "unreachable";
  if (status < 200 || status >= 300) return "unknown";
  const isMoved = redirects.length > 0 &&
    redirects.every((code) => code === 301 || code === 308) &&
    urlIdentity(answer.url) !== urlIdentity(url);
  return isMoved ? "moved" : "alive";
}
