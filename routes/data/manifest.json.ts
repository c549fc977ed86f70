import { define } from "@/lib/app/define.ts";
import { readManifest } from "@/lib/dump/service.ts";
import { cachedJson } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: async (ctx) => cachedJson(ctx, await readManifest(ctx.state.deps), { maxAge: 60 }),
});
