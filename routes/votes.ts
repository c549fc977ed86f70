import { z } from "zod";
import { define } from "@/lib/app/define.ts";
import type { EntryKind } from "@/lib/entries/entries.ts";
import { parseInput } from "@/lib/http/input.ts";
import { json } from "@/lib/http/respond.ts";
import { LIMITS } from "@/lib/limits.ts";
import { votedAmong } from "@/lib/votes/service.ts";

const Slugs = z.array(z.string().regex(/^[a-z0-9-]{1,60}$/, "Must be a slug"))
  .max(LIMITS.pageSizeMax);
const Query = z.object({ listing: Slugs, skill: Slugs });

/**
 * Whether the caller has voted for each of the given entries, and how many votes it has now: a page
 * restored by the browser knows neither. For the vote buttons of cached pages.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const { deps, caller } = ctx.state;
    const { searchParams } = ctx.url;
    const asked = parseInput(Query, {
      listing: searchParams.getAll("listing"),
      skill: searchParams.getAll("skill"),
    });
    const states = async (
      kind: EntryKind,
      items: { row(slug: string): { votes: number } | undefined },
    ) => {
      const slugs = asked[kind];
      const voted = await votedAmong(deps.store, { kind, slugs, voter: caller.voter });
      return Object.fromEntries(
        slugs.map((slug) => [slug, { votes: items.row(slug)?.votes, voted: voted.has(slug) }]),
      );
    };
    const [listing, skill] = await Promise.all([
      states("listing", deps.catalogue),
      states("skill", deps.skills),
    ]);
    return json({ ok: true, listing, skill });
  },
});
