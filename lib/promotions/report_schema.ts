import { z } from "zod";

const Counts = z.object({ person: z.int(), ai_agent: z.int(), crawler: z.int() })
  .meta({ id: "CountsByClass" });
const Figures = z.object({ days: z.int(), clicks: Counts, votes: Counts })
  .meta({ id: "ReportFigures" });
export type Figures = z.output<typeof Figures>;

/** `GET /api/v1/projects/{slug}/promotion-report`. */
export const PromotionReportBody = z.object({
  ok: z.literal(true),
  since: z.iso.date().describe("The first UTC day with figures"),
  promotions: z.array(z.object({
    name: z.string(),
    startsAt: z.iso.datetime(),
    endsAt: z.iso.datetime(),
    before: Figures,
    during: Figures,
    after: Figures,
    isEnough: z.boolean().describe("False if chance alone could explain the difference"),
  })),
  baseline: Figures.describe("All whole days without a promotion"),
  days: z.array(
    z.object({ day: z.iso.date(), isPaid: z.boolean(), clicks: Counts, votes: Counts }),
  ),
}).meta({ id: "PromotionReport" });
export type PromotionReport = Omit<z.output<typeof PromotionReportBody>, "ok">;
