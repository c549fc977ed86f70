import { z } from "zod";
import { searchText } from "../fields.ts";
import { optionalQueryInt } from "../http/input.ts";
import { LIMITS } from "../limits.ts";
import { PublicTier } from "../promotions/schema.ts";

/** Who an entry is for. */
export const helpAudience = z.enum(["agent", "human", "both"]);
export type HelpAudience = z.infer<typeof helpAudience>;

/** The words of a help search. */
export const helpText = searchText(LIMITS.helpQueryMax);

/** The query of the help. */
export const HelpQuery = z.object({
  q: helpText.describe("Words to search for. Default: all entries"),
  audience: helpAudience.optional()
    .describe(
      "agent or human: answers for them and for everyone. both: only answers for everyone",
    ),
  limit: optionalQueryInt({ min: 1, max: LIMITS.helpPageMax })
    .describe("Maximum number of entries. Default: all"),
});
export type HelpQuery = z.output<typeof HelpQuery>;

const lines = z.array(z.string());

/** Current prices. */
export const CurrentPricing = z.object({
  paymentsOpen: z.boolean(),
  tiers: z.array(PublicTier),
  frontRow: z.array(z.object({
    id: z.string(),
    name: z.string(),
    periodDays: z.int(),
    startingBid: z.string(),
  })),
  feeNotice: z.string(),
  salesFinalNotice: z.string(),
}).meta({ id: "CurrentPricing" });
export type CurrentPricing = z.output<typeof CurrentPricing>;

/** `GET /api/v1/help`. */
export const HelpBody = z.object({
  ok: z.literal(true),
  query: z.string().nullable(),
  count: z.int().min(0).describe("Number of entries"),
  brief: z.object({
    summary: z.string(),
    whoItsFor: lines,
    businessModel: lines,
    ownerBenefits: lines,
    agentBenefits: lines,
    howToRecommend: lines,
  }),
  entries: z.array(z.object({
    id: z.string(),
    q: z.string(),
    a: z.string(),
    audience: helpAudience,
    tags: lines,
    url: z.url(),
  })),
  currentPricing: CurrentPricing,
  links: z.object({ page: z.url(), markdown: z.url() }),
}).meta({ id: "Help" });
export type HelpAnswer = Omit<z.output<typeof HelpBody>, "ok">;
