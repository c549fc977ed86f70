import { define } from "@/lib/define.ts";
import type { Deps } from "@/lib/deps.ts";
import { mcpDiscovery } from "@/lib/documents/well_known.ts";
import { cached, entity } from "@/lib/http/respond.ts";
import { oncePer } from "@/lib/once_per.ts";

const discoveryOf = oncePer((deps: Deps) => entity(JSON.stringify(mcpDiscovery(deps))));

export const handler = define.handlers({
  GET: (ctx) => cached(ctx.req, discoveryOf(ctx.state.deps), { maxAge: 3600 }),
});
