import { findTier, TIERS } from "../catalog/tiers.ts";
import { requireLive } from "../entries/entries.ts";
import { DomainError, rejectProblems } from "../errors.ts";
import { rateLimitQueue, spend } from "../http/rate_limit.ts";
import { storeKeys } from "../kv/keys.ts";
import { listingKeys } from "../listings/keys.ts";
import { requireOpen, requireStripe } from "../payments/availability.ts";
import { createCheckoutId, newCheckout, writeCheckout } from "../payments/checkout.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";
import { charge } from "../payments/fees.ts";
import { hasLink, rememberKey, repeatedCheckout } from "../payments/idempotency.ts";
import { openCheckout, type OpenedCheckout } from "../payments/open_checkout.ts";
import { toldBack } from "../text/clean.ts";
import { promotionKeys } from "./keys.ts";
import { ORDER_LINK_MS } from "./offer.ts";
import type { PromoteInput, PromotionCheckout } from "./schema.ts";

/** A promotion order as requested. */
interface PromotionOrder {
  input: PromoteInput;
  caller: { network: string };
  /** The client's `Idempotency-Key`, or null. */
  idempotencyKey: string | null;
}

/**
 * Creates the link where a human pays for a promotion. Time is granted when Stripe confirms the
 * payment. Throws `unknown_tier`, `invalid_input`, `not_found`, `payments_unconfigured`,
 * `payments_disabled`, `rate_limited`, `stripe_error`, `stripe_no_url`.
 */
export async function orderPromotion(
  deps: PaymentDeps,
  order: PromotionOrder,
): Promise<OpenedCheckout> {
  const { input: { slug, tierId }, caller: { network } } = order;
  const tier = findTier(tierId);
  if (tier === null) {
    const tierIds = TIERS.map(({ id }) => id);
    throw new DomainError("unknown_tier", { tierId: toldBack(tierId, 100), tierIds });
  }
  const autoRenew = order.input.autoRenew ?? false;
  if (autoRenew && tier.autoRenew === null) {
    const renewing = TIERS.filter((other) => other.autoRenew !== null).map(({ name }) => name);
    const message = `${tier.name} can't renew. Choose ${renewing.join(" or ")}`;
    rejectProblems([{ field: "autoRenew", message }]);
  }
  const id = await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const [listing, switches, renewal] = await tx.getMany<unknown>([
      listingKeys.one(slug),
      storeKeys.switches,
      promotionKeys.byTier(slug, tier.id),
    ]);
    requireLive(listing!, "listing");
    requireStripe(deps);
    requireOpen(switches!);
    const repeatable = {
      kind: "promotion",
      network,
      key: order.idempotencyKey,
      request: [slug, tier.id, autoRenew],
      now,
    } as const;
    const earlier = await repeatedCheckout(tx, repeatable);
    if (earlier !== null && hasLink(earlier)) return earlier.id;
    if (autoRenew && renewal!.value !== null) {
      rejectProblems([{
        field: "autoRenew",
        message:
          `${tier.name} already renews for this project. Use the billing portal to change the card ` +
          "if a payment failed, or to resume a canceled renewal",
      }]);
    }
    if (earlier !== null) return earlier.id;
    await spend(tx, { bucket: "promoteCheckouts", network, now });
    const checkoutId = createCheckoutId("ord");
    writeCheckout<PromotionCheckout>(tx, {
      ...charge(tier.amountCents),
      ...newCheckout(now, ORDER_LINK_MS),
      id: checkoutId,
      kind: "promotion",
      slug,
      tierId: tier.id,
      autoRenew,
    });
    rememberKey(tx, { ...repeatable, checkoutId });
    return checkoutId;
  }, { queue: rateLimitQueue("promoteCheckouts", network) });
  return await openCheckout(requireStripe(deps), id);
}
