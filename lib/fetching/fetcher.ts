import type { Env } from "../env.ts";
import { inOneLine } from "../errors.ts";
import type { Log } from "../log.ts";
import { paths, type Urls } from "../urls.ts";
import {
  Fetched,
  type FetchRequest,
  FoundTxt,
  type GetRequest,
  type Mail,
  Mailed,
  Posted,
} from "./schema.ts";

/** Fetches user-submitted URLs through the process that is allowed to. */
export interface Fetcher {
  /** Whether that process failed to answer the last request. */
  readonly isAway: boolean;
  /** The name it uses for visits, as robots.txt files know it. */
  readonly name: string;
  /** Throws if that process cannot be reached. */
  get(url: string, options?: Pick<GetRequest, "stayOnHost" | "isPicture">): Promise<Fetched>;
  txt(host: string): Promise<FoundTxt>;
  /** Posts to a URL, without following redirects. */
  post(request: { url: string; headers: Record<string, string>; body: string }): Promise<Posted>;
  mail(mail: Mail): Promise<Mailed>;
}

/** A dependency of the features that fetch. */
export interface Fetching {
  /** Null if none is set up: nothing is fetched. */
  fetcher: Fetcher | null;
}

/**
 * A site's fetcher; null if none is set up, so features can say so. The log records when it stops
 * answering and when it is back.
 */
export function createFetcher(
  { fetcherPort, siteSlug }: Pick<Env, "fetcherPort" | "siteSlug">,
  { urls, log }: { urls: Urls; log: Log },
): Fetcher | null {
  if (fetcherPort === undefined) return null;
  const name = `${siteSlug}-fetcher`;
  const userAgent = `${name}/1 (+${urls.to(paths.helpEntry("fetcher"))})`;
  let isAway = false;
  const ask = async (request: FetchRequest): Promise<unknown> => {
    try {
      const response = await fetch(`http://127.0.0.1:${fetcherPort}/`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(request),
        signal: AbortSignal.timeout(30_000),
      });
      const answer = await response.json();
      if (isAway) log.info("fetcher_back", { port: fetcherPort });
      isAway = false;
      return answer;
    } catch (error) {
      if (!isAway) log.error("fetcher_away", { port: fetcherPort, error: inOneLine(error) });
      isAway = true;
      throw error;
    }
  };
  return {
    name,
    get isAway() {
      return isAway;
    },
    get: async (url, options) =>
      Fetched.parse(await ask({ kind: "get", url, userAgent, ...options })),
    txt: async (host) => FoundTxt.parse(await ask({ kind: "txt", host })),
    post: async (request) => Posted.parse(await ask({ kind: "post", userAgent, ...request })),
    mail: async (mail) => Mailed.parse(await ask({ kind: "mail", ...mail })),
  };
}
