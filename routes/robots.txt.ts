import { define } from "@/lib/define.ts";
import type { Deps } from "@/lib/deps.ts";
import { robotsText } from "@/lib/documents/robots.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { oncePer } from "@/lib/once_per.ts";

const textOf = oncePer(({ urls }: Deps) => entity(robotsText(urls), TYPES.text));

export const handler = define.handlers({
  GET: (ctx) => cached(ctx.req, textOf(ctx.state.deps), { maxAge: 3600 }),
});
