import { define } from "@/lib/define.ts";
import { jsonFeed } from "@/lib/documents/feeds.ts";
import { cached } from "@/lib/http/respond.ts";

export const handler = define.handlers({
  GET: (ctx) => cached(ctx.req, jsonFeed(ctx.state.deps, { kind: "gems" }), { maxAge: 60 }),
});
