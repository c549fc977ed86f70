import { define } from "@/lib/define.ts";
import type { Deps } from "@/lib/deps.ts";
import { cached, entity } from "@/lib/http/respond.ts";
import { oncePer } from "@/lib/once_per.ts";
import { buildDocument } from "@/lib/openapi/document.ts";

const documentOf = oncePer(({ env, urls }: Deps) =>
  entity(JSON.stringify(buildDocument(env, urls)))
);

export const handler = define.handlers({
  GET: (ctx) => cached(ctx.req, documentOf(ctx.state.deps), { maxAge: 300 }),
});
