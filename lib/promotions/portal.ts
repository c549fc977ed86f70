import { type OwnerRequest, requireEntryKey } from "../entries/edit_key.ts";
import { DomainError, notFound } from "../errors.ts";
import { rateLimitQueue, spend } from "../http/rate_limit.ts";
import { requireStripe } from "../payments/availability.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";
import { failureCode, isMissing, requireStripeError, stripeFailed } from "../payments/failures.ts";
import { paths } from "../urls.ts";
import { promotionKeys } from "./keys.ts";
import type { BillingAccount } from "./schema.ts";
import { liveSubscriptions } from "./subscriptions.ts";

/**
 * The link to a listing's billing portal at Stripe (cards, invoices, canceling a renewal). It needs
 * the edit key, and opens for the payer of the live renewal (of two, the one not canceled yet),
 * otherwise for the latest payer. `hasOther` says that another renewal isn't canceled either. It
 * works while payments are closed, because renewals continue. Throws `not_found` (including if
 * nothing was bought, or Stripe no longer has that payer), `bad_edit_key`, `rate_limited`,
 * `payments_unconfigured`, `stripe_error`, `stripe_no_url`.
 */
export async function openBillingPortal(
  anyDeps: PaymentDeps,
  options: OwnerRequest,
): Promise<{ portalUrl: string; hasOther: boolean }> {
  const { slug, caller } = options;
  await requireEntryKey(anyDeps.store, "listing", options);
  const deps = requireStripe(anyDeps);
  const { account, hasOther } = await deps.store.transact(async (tx) => {
    const { network } = caller;
    await spend(tx, { bucket: "portal", network, now: deps.clock.now() });
    const renewals = await liveSubscriptions(tx, slug);
    const going = renewals.filter(({ ending }) => !ending);
    const account = going[0] ?? renewals[0] ??
      (await tx.peek<BillingAccount>(promotionKeys.billing(slug))).value;
    return { account, hasOther: going.length > 1 };
  }, { queue: rateLimitQueue("portal", caller.network) });
  if (account === null) throw noAccount("it has no paid promotion yet");
  try {
    const portal = await deps.stripe.billingPortal.sessions.create({
      customer: account.customerId,
      return_url: deps.urls.to(paths.listing(slug)),
    });
    if (!portal.url?.startsWith("https://")) throw new DomainError("stripe_no_url");
    return { portalUrl: portal.url, hasOther };
  } catch (error) {
    requireStripeError(error);
    deps.log.warn("portal_failed", { slug, error: failureCode(error) });
    if (isMissing(error)) throw noAccount("the payment provider no longer knows its payer");
    throw stripeFailed(error);
  }
}

function noAccount(why: string): DomainError {
  return notFound(`This listing has no billing account: ${why}`);
}
