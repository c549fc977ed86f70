import { define } from "@/lib/app/define.ts";
import { openApi } from "@/lib/app/openapi.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx, openApi(ctx.state.deps), { maxAge: 300 }),
});
