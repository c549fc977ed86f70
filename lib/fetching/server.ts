import { delay } from "../clock.ts";
import type { Net } from "./net.ts";
import { Pace } from "./pace.ts";
import { findTxt, safeFetch } from "./safe_fetch.ts";
import { type Fetched, FetchRequest, type FoundTxt } from "./schema.ts";

/** How many requests may be under way. */
const AT_ONCE_MAX = 50;

/** Answers the site's process, which may not reach strangers' addresses itself. */
export function fetcherHandler(net: Net, pace = new Pace()): (req: Request) => Promise<Response> {
  let underWay = 0;
  async function perform(asked: FetchRequest): Promise<Fetched | FoundTxt> {
    const host = asked.kind === "get" ? URL.parse(asked.url)?.hostname ?? "" : asked.host;
    const wait = underWay < AT_ONCE_MAX ? pace.turn(host) : null;
    if (wait === null) return { ok: false, problem: "busy" };
    underWay++;
    try {
      await delay(wait);
      return asked.kind === "get" ? await safeFetch(net, asked) : await findTxt(net, asked.host);
    } finally {
      underWay--;
    }
  }
  return async (req) => {
    const asked = FetchRequest.safeParse(await req.json().catch(() => null));
    return asked.success
      ? Response.json(await perform(asked.data))
      : new Response(null, { status: 400 });
  };
}
