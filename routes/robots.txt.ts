import { define } from "@/lib/app/define.ts";
import { robotsText } from "@/lib/documents/robots.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx, entity(robotsText(ctx.state.deps.urls), TYPES.text), { maxAge: 3600 }),
});
