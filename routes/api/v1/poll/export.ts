import { define } from "@/lib/app/define.ts";
import { isFinalDay, utcDay } from "@/lib/clock.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { cached, cachedJson, entity, TYPES } from "@/lib/http/respond.ts";
import { toCsv } from "@/lib/poll/csv.ts";
import { ExportQuery } from "@/lib/poll/schema.ts";
import { exportDay } from "@/lib/poll/service.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const now = deps.clock.now();
    const { day = utcDay(now), format } = parseQuery(ExportQuery, ctx.url);
    const rows = await exportDay(deps, day);
    const csv = { "Content-Disposition": `attachment; filename="best-ai-poll-${day}.csv"` };
    if (format === "csv") return cached(ctx, entity(toCsv(rows), TYPES.csv), { headers: csv });
    const final = isFinalDay(day, now);
    return cachedJson(ctx, { ok: true, day, final, rows });
  },
});
