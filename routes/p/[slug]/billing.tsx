import { KeyPage } from "@/components/KeyPage.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { keyPageHandlers } from "@/lib/entries/key_page.ts";
import { getListing } from "@/lib/listings/service.ts";
import { openBillingPortal } from "@/lib/promotions/portal.ts";
import { paths } from "@/lib/urls.ts";

/**
 * A listing's cards, receipts and renewals at the payment provider. After the key is posted, the
 * page shows the link itself instead of redirecting: the link is only for the holder of the key, so
 * it must never be in one of our URLs.
 */
export const handler = keyPageHandlers(
  async (deps: Deps, slug) => (await getListing(deps, slug)).name,
  openBillingPortal,
);

export default define.page<typeof handler>(function Billing({ data, state, params }) {
  const slug = params.slug!;
  return (
    <KeyPage
      deps={state.deps}
      data={data}
      slug={slug}
      title="Billing for"
      action={paths.listingBilling(slug)}
      lead="Cards, receipts and renewals are in the payment provider's billing portal. Cancel anytime; you keep the time you paid for."
      button="Get portal link"
      undone="We couldn't open the billing portal"
      show={({ portalUrl, hasOther }) => (
        <>
          <p>
            <a class="button primary" href={portalUrl} rel="nofollow noopener noreferrer">
              Open the billing portal
            </a>
          </p>
          {hasOther && (
            <p>
              Two promotions of this project renew, and the portal shows one payer at a time. Cancel
              the one you see, then come back for the other.
            </p>
          )}
        </>
      )}
    />
  );
});
