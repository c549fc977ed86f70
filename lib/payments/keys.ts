/**
 * Keys of payments. Checkout ids begin with a prefix for their kind, such as `ord_…` and `bid_…`.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["checkouts", id] | `Checkout` | promote, bid, webhook, reconciliation, the outbox, `withdrawBid`, `retryDoubts` |
 * | ["checkouts_open", id] | true while a session may still be paid | the same |
 * | ["checkouts_by_idempotency_key", kind, network, digest] | `IdempotencyRecord`; expires | promote, bid |
 * | ["operations", id] | `Operation` that Stripe has not confirmed yet | the outbox |
 * | ["operations_done", id] | true: Stripe confirmed it; expires | the outbox |
 * | ["stripe_events", event id] | `{type, at}`; expires | the webhook, with the event's effect |
 * | ["stripe_alerts", digest of what it says] | `Alert`; expires | the webhook, reconciliation, the outbox |
 * | ["stripe_doubts", checkout or invoice id] | `Doubt`; expires | the webhook, reconciliation, `retryDoubts` |
 * | ["payments_health", "webhook", "reconciling" or "reconciled"] | time (ms) | the webhook, reconciliation, `retryDoubts` |
 * | ["payments_health", "due"] | time (ms) before which `settlePayments` has nothing to do; 0 once there is something new | the outbox, bids, `settleDue` |
 */
export const paymentKeys = {
  checkout: (id: string) => ["checkouts", id],
  openCheckout: (id: string) => ["checkouts_open", id],
  openCheckouts: ["checkouts_open"],
  idempotency: (kind: string, network: string, digest: string) => [
    "checkouts_by_idempotency_key",
    kind,
    network,
    digest,
  ],
  operation: (id: string) => ["operations", id],
  operations: ["operations"],
  doneOperation: (id: string) => ["operations_done", id],
  event: (id: string) => ["stripe_events", id],
  alert: (id: string) => ["stripe_alerts", id],
  alerts: ["stripe_alerts"],
  doubt: (id: string) => ["stripe_doubts", id],
  doubts: ["stripe_doubts"],
  health: (of: "webhook" | "reconciling" | "reconciled" | "due") => ["payments_health", of],
} as const;
