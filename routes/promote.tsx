import { page } from "fresh";
import { ChoiceField, fieldProps, SlugField } from "@/components/FormField.tsx";
import { Inline } from "@/components/Inline.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { ProblemSummary } from "@/components/ProblemSummary.tsx";
import { define } from "@/lib/app/define.ts";
import { findTier, LABELED } from "@/lib/catalog/tiers.ts";
import {
  type FormState,
  type FormValues,
  readTyped,
  submitForm,
  textOf,
  textsOf,
  UNSENT,
} from "@/lib/http/forms.ts";
import { parseInput } from "@/lib/http/input.ts";
import { promotionFromForm } from "@/lib/promotions/form.ts";
import { getPromotionOffer } from "@/lib/promotions/offer.ts";
import { orderPromotion } from "@/lib/promotions/orders.ts";
import { type PromoteBody, PromoteInput } from "@/lib/promotions/schema.ts";
import { forNamedProject } from "@/lib/site/named_project.ts";
import { paths, withQuery } from "@/lib/urls.ts";

interface Data extends FormState {
  offer: PromoteBody;
}
type Tier = PromoteBody["tiers"][number];

const LABELS = { slug: "Project", tierId: "Tier", autoRenew: "Renewal" };

export const handler = define.handlers({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const values = {
      slug: searchParams.get("slug") ?? undefined,
      tierId: findTier(searchParams.get("tierId") ?? "")?.id,
      autoRenew: searchParams.get("autoRenew") === "yes" ? "yes" : undefined,
    };
    const offer = await getPromotionOffer(ctx.state.deps);
    return page<Data>({ offer, values, problems: [] }, UNSENT);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const values = await readTyped(ctx);
    const order = async (form: FormValues) => {
      const input = parseInput(PromoteInput, promotionFromForm(form));
      return await orderPromotion(deps, { input, caller, idempotencyKey: null });
    };
    const result = await submitForm(() => forNamedProject(deps, values, order), {
      not_found: "slug",
      unknown_tier: "tierId",
    });
    if (result.ok) return ctx.redirect(paths.pay(result.value.id), 303);
    const { init, problems } = result;
    const offer = await getPromotionOffer(deps);
    return page<Data>({ offer, values, problems }, init);
  },
});

export default define.page<typeof handler>(function Promote({ data, state }) {
  return (
    <main id="main" class="page promote">
      <PageHead
        deps={state.deps}
        title="Promote"
        problems={data.problems}
        description="Labeled paid placements for a few days. They never change the rankings."
        path={paths.promote}
        json={paths.apiPromote}
      />
      <h1>Promote a project</h1>
      <Offer {...data} />
    </main>
  );
});

function Offer({ offer, values, problems }: Data) {
  const slug = textOf(values, "slug") || undefined;
  const hasForm = offer.paymentsOpen || problems.length > 0;
  return (
    <>
      <p class="lead">
        A labeled spot in the moving strip on the home page, for a fixed time. Paid placement never
        changes the hot, new or top list.
      </p>
      {!offer.paymentsOpen && <p class="notice">Promotions are not for sale right now.</p>}
      <ul class="plain tiers" aria-label="Tiers">
        {offer.tiers.map((tier, i) => (
          <li key={tier.id} class="tier">
            <h2>{tier.name}</h2>
            <p class="tier-total">
              {tier.total} <span>for {tier.days} days</span>
            </p>
            <p class="dim">
              {tier.price} + {tier.fee} processing fee
            </p>
            <Perks tier={tier} below={offer.tiers[i - 1]} />
            {offer.paymentsOpen && (
              <a
                class="button"
                href={withQuery(paths.promote, { slug, tierId: tier.id }) + "#order"}
              >
                Choose {tier.name}
              </a>
            )}
          </li>
        ))}
      </ul>
      <div class="columns">
        <div>
          {hasForm
            ? <OrderForm offer={offer} values={values} problems={problems} />
            : <p class="dim">{offer.notice}</p>}
        </div>
        <aside class="side" aria-label="Good to know">
          <section aria-labelledby="spots">
            <h2 id="spots">Spots and fees</h2>
            <p>
              {offer.featuredNow} of {offer.maxFeaturedSlots}{" "}
              featured spots are taken. If more projects are promoted, higher tiers come first, and
              projects in the same tier rotate every hour.
            </p>
            <p>{offer.feeNotice}</p>
          </section>
          <section aria-labelledby="agents">
            <h2 id="agents">For agents</h2>
            <p>
              <Inline text={offer.howTo} />
            </p>
          </section>
        </aside>
      </div>
    </>
  );
}

/** What a tier has that the one below it doesn't. */
function Perks({ tier, below }: { tier: Tier; below: Tier | undefined }) {
  return (
    <>
      {below && <p class="dim">Everything in {below.name}, plus:</p>}
      <ul>
        {tier.perks.filter((perk) => !below?.perks.includes(perk)).map((perk) => (
          <li key={perk}>
            {perk === LABELED ? "“Promoted” label wherever your project appears" : perk}
          </li>
        ))}
      </ul>
    </>
  );
}

function OrderForm({ offer, values, problems }: Data) {
  const { common } = fieldProps(LABELS, { values, problems });
  return (
    <form method="post" action={paths.promote} class="form">
      <h2 id="order">Order</h2>
      <ProblemSummary problems={problems} labels={LABELS} undone="Your order wasn't placed" />
      <SlugField values={values} problems={problems} />
      <ChoiceField
        {...common("tierId")}
        type="radio"
        values={textsOf(values, "tierId")}
        options={offer.tiers.map(({ id, name, days, total }) => ({
          value: id,
          label: `${name}: ${days} days for ${total}`,
        }))}
        required
      />
      <ChoiceField
        {...common("autoRenew")}
        type="checkbox"
        values={textsOf(values, "autoRenew")}
        options={[{ value: "yes", label: "Renew each week (Boost) or month (Spotlight)" }]}
        hint="Cancel any time from the project's billing page. The promotion runs to the end of the paid period."
      />
      <p>{offer.notice}</p>
      <button type="submit" class="button primary">Review order</button>
    </form>
  );
}
