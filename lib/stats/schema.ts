import { z } from "zod";

const count = z.int().min(0);

/** Requests by visitor class. */
const ByClass = z.object({ person: count, ai_agent: count, crawler: count, total: count });

/** Requests by surface, each by visitor class. */
export const BySurface = z.object({
  pages: ByClass,
  api: ByClass,
  mcp: ByClass,
  llms: ByClass,
  feed: ByClass,
  all: ByClass,
}).meta({ id: "TrafficBySurface" });
export type BySurface = z.output<typeof BySurface>;

const AiVisitors = z.array(z.object({ name: z.string(), operator: z.string(), requests: count }))
  .meta({ id: "AiVisitors" });
export type AiVisitors = z.output<typeof AiVisitors>;

/** `GET /api/v1/stats`. */
export const StatsBody = z.object({
  ok: z.literal(true),
  unit: z.string(),
  since: z.iso.date().nullable().describe("The first UTC day counted"),
  classes: z.record(z.string(), z.string()).describe("What each visitor class means"),
  windows: z.object({ today: BySurface, "7d": BySurface, "30d": BySurface, all: BySurface })
    .describe("UTC days, including today"),
  days: z.array(z.object({ day: z.iso.date(), traffic: BySurface }))
    .describe("Up to the last 30 UTC days, oldest first"),
  aiVisitors: z.object({ "1d": AiVisitors, "7d": AiVisitors, "30d": AiVisitors })
    .describe("Raw request counts of known AI user agents, by name"),
  generatedAt: z.iso.datetime(),
}).meta({ id: "Stats" });
export type Stats = Omit<z.output<typeof StatsBody>, "ok">;
