import { z } from "zod";
import { define } from "@/lib/app/define.ts";
import { parseInput } from "@/lib/http/input.ts";
import { json } from "@/lib/http/respond.ts";
import { LIMITS } from "@/lib/limits.ts";
import { votedAmong } from "@/lib/votes/service.ts";

const Slugs = z.array(z.string().regex(/^[a-z0-9-]{1,60}$/, "Must be a slug"))
  .max(LIMITS.pageSizeMax);
const Query = z.object({ listing: Slugs, skill: Slugs });

/**
 * Which of the given items the caller has voted for, with their current votes, which a page
 * restored by the browser doesn't know. For the vote buttons of cached pages.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const { deps, caller } = ctx.state;
    const { searchParams } = ctx.url;
    const asked = parseInput(Query, {
      listing: searchParams.getAll("listing"),
      skill: searchParams.getAll("skill"),
    });
    const { voter } = caller;
    const [listing, skill] = await Promise.all([
      votedAmong(deps.store, { kind: "listing", slugs: asked.listing, voter }),
      votedAmong(deps.store, { kind: "skill", slugs: asked.skill, voter }),
    ]);
    const counts = (slugs: string[], items: { get(slug: string): { votes: number } | undefined }) =>
      Object.fromEntries(slugs.map((slug) => [slug, items.get(slug)?.votes]));
    const voted = {
      listing: counts(listing, deps.catalogue),
      skill: counts(skill, deps.skills),
    };
    return json({ ok: true, voted });
  },
});
