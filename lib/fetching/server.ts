import { delay } from "../clock.ts";
import { sendMail } from "./mail.ts";
import type { Net } from "./net.ts";
import { Pace } from "./pace.ts";
import { findTxt, safeFetch, safePost } from "./safe_fetch.ts";
import { type Fetched, FetchRequest, type FoundTxt, type Mailed, type Posted } from "./schema.ts";

/** The maximum number of concurrent requests. */
const AT_ONCE_MAX = 50;

/** Answers the site's process, which may not reach user-submitted URLs itself. */
export function fetcherHandler(net: Net, pace = new Pace()): (req: Request) => Promise<Response> {
  let underWay = 0;
  async function perform(asked: FetchRequest): Promise<Fetched | FoundTxt | Posted | Mailed> {
    // The mail server is the operator's own.
    const turn = () => asked.kind === "mail" ? 0 : pace.turn(hostOf(asked));
    const wait = underWay < AT_ONCE_MAX ? turn() : null;
    if (wait === null) return { ok: false, problem: "busy", isFinal: false };
    underWay++;
    try {
      await delay(wait);
      switch (asked.kind) {
        case "get":
          return await safeFetch(net, asked);
        case "post":
          return await safePost(net, asked);
        case "txt":
          return await findTxt(net, asked.host);
        case "mail":
          return await sendMail(asked);
      }
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

function hostOf(asked: Exclude<FetchRequest, { kind: "mail" }>): string {
  return asked.kind === "txt" ? asked.host : URL.parse(asked.url)?.hostname ?? "";
}
