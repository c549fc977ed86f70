import type { Core } from "../core.ts";
import { ignoreBody, readForm } from "../http/body.ts";
import type { Caller } from "../http/caller.ts";
import { json, localPath, seeOther } from "../http/respond.ts";
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
 * The handler of the vote button without script. It leads back to where the button was pressed: to the
 * item's page, which shows the caller's vote, or to its row (`rowOf` is the row's id) of a list.
 */
export function voteFormHandlers<D extends Core>(
  { set, pageOf, rowOf }: {
    set: Votes<D>["set"];
    pageOf: (slug: string) => string;
    rowOf: (slug: string) => string;
  },
) {
  return {
    async POST(ctx: Asked<D>) {
      const { deps, caller } = ctx.state;
      const slug = ctx.params.slug!;
      const form = await readForm(ctx.req);
      await set(deps, { slug, caller, voted: form.remove === undefined });
      const page = pageOf(slug);
      const from = pageBefore(ctx.req, deps.urls.base) ?? page;
      return seeOther(deps.urls, from === page ? `${page}#vote` : `${from}#${rowOf(slug)}`);
    },
  };
}

/** Path and query of the page of this site (`base`) from which a request came, as the browser tells it. */
function pageBefore({ headers }: Request, base: string): string | undefined {
  const referer = URL.parse(headers.get("Referer") ?? "");
  if (referer === null || referer.origin !== new URL(base).origin) return undefined;
  return localPath(referer.pathname + referer.search, "") || undefined;
}
