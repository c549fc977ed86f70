import { define } from "@/lib/app/define.ts";
import { listChanges } from "@/lib/discovery/changes.ts";
import { ChangesQuery } from "@/lib/discovery/schema.ts";
import { parseQuery, unknownParameters } from "@/lib/http/input.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const changes = await listChanges(ctx.state.deps, parseQuery(ChangesQuery, ctx.url));
    const ignoredParameters = unknownParameters(ChangesQuery, ctx.url);
    return cachedJson(ctx, { ok: true, ignoredParameters, ...changes }, { maxAge: 5 });
  },
});
