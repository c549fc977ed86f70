import { page } from "fresh";
import { EntryTask } from "@/components/EntryTask.tsx";
import { EditKeyField } from "@/components/FormField.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { ProblemSummary } from "@/components/ProblemSummary.tsx";
import { define } from "@/lib/app/define.ts";
import { readForm } from "@/lib/http/body.ts";
import { editKeyOf, type FormState, NO_STORE, submitForm } from "@/lib/http/forms.ts";
import { getListing } from "@/lib/listings/service.ts";
import { openBillingPortal } from "@/lib/promotions/portal.ts";
import { paths } from "@/lib/urls.ts";

interface Data extends Pick<FormState, "problems"> {
  name: string;
  /** The link to the portal, once the key was given. */
  portalUrl?: string;
}

/**
 * A listing's cards, receipts and renewals at the payment provider. After the key is posted, the
 * page shows the link itself instead of redirecting: the link is only for the holder of the key, so
 * it must never be in one of our URLs.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const { name } = await getListing(ctx.state.deps, ctx.params.slug!);
    return page<Data>({ name, problems: [] }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    const { name } = await getListing(deps, slug);
    const editKey = editKeyOf(await readForm(ctx.req));
    const result = await submitForm(
      () => openBillingPortal(deps, { slug, editKey, caller }),
      { bad_edit_key: "editKey", not_found: "form" },
    );
    if (result.ok) {
      return page<Data>({ name, problems: [], portalUrl: result.value }, NO_STORE);
    }
    const { init, problems } = result;
    return page<Data>({ name, problems }, init);
  },
});

export default define.page<typeof handler>(function Billing({ data, state, params }) {
  const slug = params.slug!;
  const { name, problems, portalUrl } = data;
  return (
    <main id="main" class="page">
      <PageHead deps={state.deps} title={`Billing for ${name}`} problems={problems} />
      <h1>
        Billing for <span dir="auto">{name}</span>
      </h1>
      <EntryTask
        deps={state.deps}
        entry={{ kind: "listing", slug }}
        lead="Cards, receipts and renewals are in the payment provider's billing portal. Cancel anytime; you keep the time you paid for."
      >
        {portalUrl === undefined
          ? (
            <>
              <ProblemSummary
                problems={problems}
                labels={{ editKey: "Edit key" }}
                undone="We couldn't open the billing portal"
                kept="To try again, enter the edit key"
              />
              <form method="post" action={paths.listingBilling(slug)} class="form">
                <EditKeyField problems={problems} />
                <button type="submit" class="button primary">Get the link</button>
              </form>
            </>
          )
          : (
            <>
              <p>
                <a class="button primary" href={portalUrl} rel="nofollow noopener noreferrer">
                  Open the billing portal
                </a>
              </p>
              <p class="dim">
                The portal shows one payer at a time. If there are two renewals, cancel the one you
                see, then come back for the other.
              </p>
            </>
          )}
      </EntryTask>
    </main>
  );
});
