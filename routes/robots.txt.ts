import { define } from "@/lib/app/define.ts";
import { fixedDocument } from "@/lib/documents/cache.ts";
import { robotsText } from "@/lib/documents/robots.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { deps } = ctx.state;
    const make = () => entity(robotsText(deps.urls), TYPES.text);
    return cached(ctx, fixedDocument(deps, "robots.txt", make), { maxAge: 3600 });
  },
});
