import { define } from "@/lib/define.ts";
import { cached, entity } from "@/lib/http/respond.ts";
import { buildDocument } from "@/lib/openapi/document.ts";
import { oncePerDeps } from "@/lib/per_deps.ts";

const documentOf = oncePerDeps(({ env, urls }) => entity(JSON.stringify(buildDocument(env, urls))));

export const handler = define.handlers({
  GET: (ctx) => cached(ctx.req, documentOf(ctx.state.deps), { maxAge: 300 }),
});
