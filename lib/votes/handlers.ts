import type { Core } from "../core.ts";
import type { EntryKind } from "../entries/entries.ts";
import { ignoreBody, readForm } from "../http/body.ts";
import { json, localPath, seeOther } from "../http/respond.ts";
import type { Asked } from "../http/state.ts";
import { paths, rowIds } from "../urls.ts";
import type { Deps } from "./deps.ts";
import { getVote, setVote } from "./service.ts";

type Ctx = Asked<Core & Deps>;

/** GET, POST and DELETE of the caller's vote in the API. */
export function voteHandlers(kind: EntryKind) {
  const answer = async (ctx: Ctx, voted: boolean) => {
    const { deps, caller } = ctx.state;
    await ignoreBody(ctx.req);
    const vote = await setVote(deps, { kind, slug: ctx.params.slug!, caller, voted });
    return json({ ok: true, ...vote });
  };
  return {
    async GET(ctx: Ctx) {
      const { deps, caller } = ctx.state;
      return json({
        ok: true,
        ...await getVote(deps, { kind, slug: ctx.params.slug!, caller }),
      });
    },
    POST: (ctx: Ctx) => answer(ctx, true),
    DELETE: (ctx: Ctx) => answer(ctx, false),
  };
}

/**
 * Handles the vote button without a script. Redirects back to where the button was pressed: the
 * entry's page, which shows the caller's vote, or its row in a list.
 */
export function voteFormHandlers(kind: EntryKind) {
  return {
    async POST(ctx: Ctx) {
      const { deps, caller } = ctx.state;
      const slug = ctx.params.slug!;
      const form = await readForm(ctx.req);
      await setVote(deps, { kind, slug, caller, voted: form.remove === undefined });
      const page = paths[kind](slug);
      const from = pageBefore(ctx.req, deps.urls.base) ?? page;
      const id = from.split("?", 1)[0] === page ? "vote" : rowIds[kind](slug);
      return seeOther(deps.urls, `${from}#${id}`);
    },
  };
}

/**
 * The path and query of the page on this site (`base`) that sent a request, from the browser's
 * headers.
 */
function pageBefore({ headers }: Request, base: string): string | undefined {
  const referer = URL.parse(headers.get("Referer") ?? "");
  if (referer === null || referer.origin !== new URL(base).origin) return undefined;
  return localPath(referer.pathname + referer.search, "") || undefined;
}
