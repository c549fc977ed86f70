import type { Context } from "fresh";
import { define, type State } from "../define.ts";
import type { Deps } from "../deps.ts";
import { ignoreBody, readForm } from "../http/body.ts";
import type { Caller } from "../http/caller.ts";
import { json, seeOther } from "../http/respond.ts";
import type { VoteState } from "./schema.ts";

/** The service functions that read and change votes on one kind of item. */
interface Votes {
  get(deps: Deps, options: { slug: string; caller: Caller }): Promise<VoteState>;
  set(deps: Deps, options: { slug: string; caller: Caller; voted: boolean }): Promise<VoteState>;
}

/** GET, POST and DELETE of the caller's vote in the API, for listings and skills alike. */
export function voteHandlers({ get, set }: Votes) {
  const answer = async (ctx: Context<State>, voted: boolean) => {
    const { deps, caller } = ctx.state;
    await ignoreBody(ctx.req);
    return json(ctx.req, {
      ok: true,
      ...await set(deps, { slug: ctx.params.slug!, caller, voted }),
    });
  };
  return define.handlers({
    async GET(ctx) {
      const { deps, caller } = ctx.state;
      return json(ctx.req, { ok: true, ...await get(deps, { slug: ctx.params.slug!, caller }) });
    },
    POST: (ctx) => answer(ctx, true),
    DELETE: (ctx) => answer(ctx, false),
  });
}

/**
 * The handler of the vote button without script. It redirects to the item's page, which shows the
 * caller's vote.
 */
export function voteFormHandlers(set: Votes["set"], pageOf: (slug: string) => string) {
  return define.handlers({
    async POST(ctx) {
      const { deps, caller } = ctx.state;
      const slug = ctx.params.slug!;
      const form = await readForm(ctx.req);
      await set(deps, { slug, caller, voted: form.remove === undefined });
      return seeOther(deps.urls, `${pageOf(slug)}#vote`);
    },
  });
}
