import { define } from "@/lib/app/define.ts";
import { securityText } from "@/lib/documents/well_known.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx, entity(securityText(ctx.state.deps), TYPES.text), { maxAge: 3600 }),
});
