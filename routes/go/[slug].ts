import { define } from "@/lib/app/define.ts";
import { atMost } from "@/lib/clock.ts";
import { countVisit, visitTarget } from "@/lib/listings/visits.ts";
import { errorFields } from "@/lib/log.ts";

/**
 * How long (ms) a visitor may wait for their visit to be counted: long enough for them to see it in
 * the count, and no longer if storage is slow.
 */
const COUNT_WAIT_MS = 200;

/** The headers, current and legacy, that mark a request as speculative. */
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];
const AHEAD = /prefetch|prerender|preview/;

export const handler = define.handlers({
  async GET(ctx) {
    const { deps, caller, requestId } = ctx.state;
    const slug = ctx.params.slug!;
    const target = await visitTarget(deps, slug);
    const { headers, method } = ctx.req;
    const isPrefetch = PURPOSES.some((name) => AHEAD.test(headers.get(name) ?? ""));
    // Another site loading this as an image or in a frame isn't a visit.
    const isEmbedded = !["document", null].includes(headers.get("sec-fetch-dest"));
    if (method !== "HEAD" && !isPrefetch && !isEmbedded) {
      const counted = countVisit(deps, { slug, caller }).catch((error) =>
        deps.log.warn("visit_not_counted", { requestId, ...errorFields(error) })
      );
      await atMost(COUNT_WAIT_MS, counted);
    }
    return new Response(null, {
      status: 302,
      headers: { "Location": target, "Cache-Control": "no-store", "X-Robots-Tag": "noindex" },
    });
  },
});
