import { z } from "zod";
import { MAX_FEATURED_SLOTS, type TierId, TIERS } from "../catalog/tiers.ts";
import { Slug } from "../fields.ts";
import type { Checkout } from "../payments/schema.ts";

/** An order of a promotion tier. */
export interface PromotionCheckout extends Checkout {
  kind: "promotion";
  tierId: TierId;
  autoRenew: boolean;
}

/** Days granted for one paid session or invoice. */
export interface Grant {
  checkoutId: string;
  slug: string;
  tierId: TierId;
  days: number;
  at: number;
}

/** The Stripe customer of the latest payment for a listing. */
export interface BillingAccount {
  customerId: string;
  at: number;
}

/** A renewal at Stripe, live or ended. Times are ms since the epoch. */
export interface StoredSubscription {
  id: string;
  slug: string;
  tierId: TierId;
  checkoutId: string;
  customerId: string;
  /** Whether it is canceled at the end of its period. */
  ending?: boolean;
  since: number;
}

const TIER_IDS = TIERS.map((tier) => tier.id);

/**
 * The body of a promotion order. Any string passes as a tier, because an unknown one has its own
 * error code.
 */
export const PromoteInput = z.object({
  slug: Slug.describe("Slug of a live project"),
  tierId: z.string(`Must be one of: ${TIER_IDS.join(", ")}`).meta({
    override: { type: "string", enum: TIER_IDS },
    description: "Promotion tier",
  }),
  autoRenew: z.boolean().nullish().describe(
    "Renew every week or month. Only for tiers whose autoRenew is not null",
  ),
}).meta({ id: "PromoteInput" });
export type PromoteInput = z.output<typeof PromoteInput>;

const cents = z.int().min(0);

/** A tier on offer: prices in integer cents and as dollar strings. */
export const PublicTier = z.object({
  id: z.string(),
  name: z.string(),
  days: z.int(),
  currency: z.literal("usd"),
  amountCents: cents,
  feeCents: cents,
  totalCents: cents,
  price: z.string(),
  fee: z.string(),
  total: z.string(),
  autoRenew: z.enum(["week", "month"]).nullable(),
  perks: z.array(z.string()),
}).meta({ id: "PromotionTier", description: "A paid promotion. The total includes the fee" });
export type PublicTier = z.output<typeof PublicTier>;

/** `GET /api/v1/promote`. */
export const PromoteBody = z.object({
  ok: z.literal(true),
  paymentsOpen: z.boolean(),
  tiers: z.array(PublicTier),
  notice: z.string(),
  feeNotice: z.string(),
  maxFeaturedSlots: z.literal(MAX_FEATURED_SLOTS),
  featuredNow: z.int().min(0).max(MAX_FEATURED_SLOTS).describe("Featured slots in use now"),
  howTo: z.string(),
  terms: z.url(),
}).meta({ id: "PromotionOffer" });
export type PromoteBody = Omit<z.output<typeof PromoteBody>, "ok">;

/** `{slug}` of a billing portal request. */
export const PortalInput = z.object({ slug: Slug })
  .meta({ id: "BillingPortalInput" });

/** The response to a billing portal request. */
export const PortalBody = z.object({ ok: z.literal(true), portalUrl: z.url() })
  .meta({ id: "BillingPortal" });

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
