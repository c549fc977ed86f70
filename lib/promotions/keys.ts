/**
 * Keys of promotions.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["promotions", slug] | `PromotionBalance` | grants |
 * | ["promotion_periods", slug] | `Period[]`, when it was promoted, oldest first | grants |
 * | ["promotion_reminders", slug] | `Reminder` of the end of its time | grants, `announceEnds` |
 * | ["stripe_grants", session or invoice id] | `Grant` | grants |
 * | ["billing", slug] | `BillingAccount`, the payer of the latest promotion | grants, a new renewal |
 * | ["subscriptions", Stripe's id] | `StoredSubscription` | webhook, reconciliation |
 * | ["subscriptions_by_tier", slug, tier id] | id of the live subscription | the same; deleted when the listing is taken down |
 */
export const promotionKeys = {
  all: ["promotions"],
  one: (slug: string) => ["promotions", slug],
  periods: (slug: string) => ["promotion_periods", slug],
  reminder: (slug: string) => ["promotion_reminders", slug],
  reminders: ["promotion_reminders"],
  grant: (paidId: string) => ["stripe_grants", paidId],
  grants: ["stripe_grants"],
  billing: (slug: string) => ["billing", slug],
  subscription: (id: string) => ["subscriptions", id],
  byTier: (slug: string, tierId: string) => ["subscriptions_by_tier", slug, tierId],
  allByTier: ["subscriptions_by_tier"],
} as const;
