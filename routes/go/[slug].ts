import { define } from "@/lib/define.ts";
import { errorFields } from "@/lib/log.ts";
import { countVisit, visitTarget } from "@/lib/listings/visits.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps, caller, requestId } = ctx.state;
    const slug = ctx.params.slug!;
    const target = await visitTarget(deps, slug);
    const { headers, method } = ctx.req;
    const isPrefetch = /prefetch|prerender/.test(
      headers.get("sec-purpose") ?? headers.get("purpose") ?? "",
    );
    // A page of another site that loads this as an image or in a frame is no visit.
    const isEmbedded = !["document", null].includes(headers.get("sec-fetch-dest"));
    if (method !== "HEAD" && !isPrefetch && !isEmbedded) {
      // The visitor does not wait for the count.
      countVisit(deps, { slug, caller }).catch((error) =>
        deps.log.warn("visit_not_counted", { requestId, ...errorFields(error) })
      );
    }
    return new Response(null, {
      status: 302,
      headers: { "Location": target, "Cache-Control": "no-store", "X-Robots-Tag": "noindex" },
    });
  },
});
