import { define } from "@/lib/app/define.ts";
import { llmsText } from "@/lib/documents/llms.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx, llmsText(ctx.state.deps), { maxAge: 60 }),
});
