import { z } from "zod";

/** The body of `GET /api/v1/health`. */
export const HealthBody = z.object({
  ok: z.literal(true),
  status: z.enum(["ok", "degraded"]),
  problems: z.array(z.string()).describe("What is degraded, in sentences. Empty if all is well"),
  schemaVersion: z.int().nullable().describe("The database's schema version, or null"),
  startedAt: z.iso.datetime(),
  kv: z.object({ writeMs: z.number().describe("How long a test write took") }),
  catalogue: z.object({
    listings: z.int(),
    lagMs: z.int().describe("Since this process last knew it was up to date"),
  }),
  queues: z.object({
    review: z.object({ waiting: z.int(), oldestAgeSeconds: z.int().nullable() })
      .describe("Listings waiting for approval"),
    reports: z.object({ oldestAgeSeconds: z.int().nullable() })
      .describe("Open reports from visitors"),
    operations: z.object({ waiting: z.int(), oldestAgeSeconds: z.int().nullable() })
      .describe("Calls not yet confirmed by the payment provider"),
  }),
  payments: z.object({
    open: z.boolean(),
    lastWebhookAgeSeconds: z.int().nullable(),
    stuckOperations: z.int(),
    openHolds: z.int(),
  }),
  jobs: z.array(z.object({
    name: z.string(),
    lastRunAt: z.iso.datetime().nullable(),
    ok: z.boolean().nullable(),
  })),
  generatedAt: z.iso.datetime(),
}).meta({ id: "Health" });
export type HealthBody = Omit<z.infer<typeof HealthBody>, "ok">;
