import type { Core } from "../core.ts";
import { ignoreBody, readForm } from "../http/body.ts";
import type { Caller } from "../http/caller.ts";
import { json, seeOther } from "../http/respond.ts";
import type { Asked } from "../http/state.ts";
import type { VoteState } from "./schema.ts";

/** The service functions that read and change votes on one kind of item. */
interface Votes<D> {
  get(deps: D, options: { slug: string; caller: Caller }): Promise<VoteState>;
  set(deps: D, options: { slug: string; caller: Caller; voted: boolean }): Promise<VoteState>;
}

/** GET, POST and DELETE of the caller's vote in the API, for listings and skills alike. */
export function voteHandlers<D extends Core>({ get, set }: Votes<D>) {
  const answer = async (ctx: Asked<D>, voted: boolean) => {
    const { deps, caller } = ctx.state;
    await ignoreBody(ctx.req);
    return json(ctx, {
      ok: true,
      ...await set(deps, { slug: ctx.params.slug!, caller, voted }),
    });
  };
  return {
    async GET(ctx: Asked<D>) {
      const { deps, caller } = ctx.state;
      return json(ctx, { ok: true, ...await get(deps, { slug: ctx.params.slug!, caller }) });
    },
    POST: (ctx: Asked<D>) => answer(ctx, true),
    DELETE: (ctx: Asked<D>) => answer(ctx, false),
  };
}

/**
 * The handler of the vote button without script. It redirects to the item's page, which shows the
 * caller's vote.
 */
export function voteFormHandlers<D extends Core>(
  set: Votes<D>["set"],
  pageOf: (slug: string) => string,
) {
  return {
    async POST(ctx: Asked<D>) {
      const { deps, caller } = ctx.state;
      const slug = ctx.params.slug!;
      const form = await readForm(ctx.req);
      await set(deps, { slug, caller, voted: form.remove === undefined });
      return seeOther(deps.urls, `${pageOf(slug)}#vote`);
    },
  };
}
