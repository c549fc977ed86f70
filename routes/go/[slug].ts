import { define } from "@/lib/app/define.ts";
import { atMost } from "@/lib/clock.ts";
import { countVisit, visitTarget } from "@/lib/listings/visits.ts";
import { errorFields } from "@/lib/log.ts";

/**
 * How long (ms) a visitor may wait for the count: long enough that the count is there when they
 * look, and not longer when storage is slow.
 */
const COUNT_WAIT_MS = 200;

/** The headers, of today and of older browsers, by which one says that nobody asked for a page yet. */
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];
const AHEAD = /prefetch|prerender|preview/;

export const handler = define.handlers({
  async GET(ctx) {
    const { deps, caller, requestId } = ctx.state;
    const slug = ctx.params.slug!;
    const target = await visitTarget(deps, slug);
    const { headers, method } = ctx.req;
    const isPrefetch = PURPOSES.some((name) => AHEAD.test(headers.get(name) ?? ""));
    // A page of another site that loads this as an image or in a frame is no visit.
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
