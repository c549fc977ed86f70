import { z } from "zod";
import { define } from "@/lib/app/define.ts";
import { llmsFullPages, llmsFullText } from "@/lib/documents/llms.ts";
import { DomainError } from "@/lib/errors.ts";
import { parseQuery, queryInt } from "@/lib/http/input.ts";
import { cached } from "@/lib/http/respond.ts";

const PageQuery = z.object({ page: queryInt({ min: 1, max: 1_000_000, default: 1 }) });

export const handler = define.handlers({
  GET(ctx) {
    const { deps } = ctx.state;
    const { page } = parseQuery(PageQuery, ctx.url);
    if (page > llmsFullPages(deps)) throw new DomainError("not_found");
    return cached(ctx, llmsFullText(deps, page), { maxAge: 60 });
  },
});
