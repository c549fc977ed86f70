import { define } from "@/lib/define.ts";
import type { Deps } from "@/lib/deps.ts";
import { mcpServerCard } from "@/lib/documents/well_known.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { oncePer } from "@/lib/once_per.ts";

const cardOf = oncePer((deps: Deps) =>
  entity(JSON.stringify(mcpServerCard(deps)), TYPES.serverCard)
);

export const handler = define.handlers({
  GET: (ctx) => cached(ctx.req, cardOf(ctx.state.deps), { maxAge: 3600 }),
});
