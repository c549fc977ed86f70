import { define } from "@/lib/app/define.ts";
import { json } from "@/lib/http/respond.ts";
import { readHealth } from "@/lib/operator/health.ts";

export const handler = define.handlers({
  GET: async (ctx) => json({ ok: true, ...await readHealth(ctx.state.deps) }),
});
