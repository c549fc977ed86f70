import { define } from "@/lib/define.ts";
import type { Deps } from "@/lib/deps.ts";
import { rankingFacts } from "@/lib/discovery/ranking.ts";
import { cached, entity } from "@/lib/http/respond.ts";
import { oncePer } from "@/lib/once_per.ts";

const factsOf = oncePer(({ urls }: Deps) =>
  entity(JSON.stringify({ ok: true, ...rankingFacts(urls) }))
);

export const handler = define.handlers({
  GET: (ctx) => cached(ctx.req, factsOf(ctx.state.deps), { maxAge: 300 }),
});
