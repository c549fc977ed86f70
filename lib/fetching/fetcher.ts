import type { Env } from "../env.ts";
import { paths, type Urls } from "../urls.ts";
import { Fetched, type FetchRequest, FoundTxt } from "./schema.ts";

/** Reads strangers' addresses through the process of its own that may. */
export interface Fetcher {
  /** Throws if that process cannot be reached. */
  get(url: string): Promise<Fetched>;
  txt(host: string): Promise<FoundTxt>;
}

/** The fetcher of a site; null where none is set up, so that features say so. */
export function createFetcher(
  { fetcherPort, siteSlug }: Pick<Env, "fetcherPort" | "siteSlug">,
  urls: Urls,
): Fetcher | null {
  if (fetcherPort === undefined) return null;
  const userAgent = `${siteSlug}-fetcher/1 (+${urls.to(paths.helpEntry("fetcher"))})`;
  const ask = async (request: FetchRequest): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${fetcherPort}/`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(30_000),
    });
    return await response.json();
  };
  return {
    get: async (url) => Fetched.parse(await ask({ kind: "get", url, userAgent })),
    txt: async (host) => FoundTxt.parse(await ask({ kind: "txt", host })),
  };
}
