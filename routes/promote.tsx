import { page } from "fresh";
import { Fragment } from "preact";
import { ChoiceField, fieldProps, SlugField } from "@/components/FormField.tsx";
import { Page } from "@/components/Page.tsx";
import { ProblemSummary } from "@/components/ProblemSummary.tsx";
import { define } from "@/lib/app/define.ts";
import { findTier, PERKS, renewals, TIERS } from "@/lib/catalog/tiers.ts";
import {
  type FormState,
  type FormValues,
  readTyped,
  submitForm,
  textsOf,
  UNSENT,
} from "@/lib/http/forms.ts";
import { parseInput } from "@/lib/http/input.ts";
import { promotionFromForm } from "@/lib/promotions/form.ts";
import { getPromotionOffer } from "@/lib/promotions/offer.ts";
import { orderPromotion } from "@/lib/promotions/orders.ts";
import { type PromoteBody, PromoteInput } from "@/lib/promotions/schema.ts";
import { forNamedProject } from "@/lib/site/named_project.ts";
import { paths } from "@/lib/urls.ts";

interface Data extends FormState {
  offer: PromoteBody;
}

const LABELS = { tierId: "Tier", slug: "Project", autoRenew: "Renewal" };

/** What buyers read in place of a perk's text for programs. */
const PLAINLY: Readonly<Record<string, string>> = {
  [PERKS.strip]: "A spot under Promoted on the home page",
  [PERKS.labeled]: "A “Promoted” label wherever your project appears",
  [PERKS.glow]: "A frame in your project's accent color",
  [PERKS.first]: "First among promoted projects when agents ask for them",
};

export const handler = define.handlers({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const values = {
      slug: searchParams.get("slug") ?? undefined,
      tierId: (findTier(searchParams.get("tierId") ?? "") ?? TIERS[0]).id,
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
      notFound: "slug",
    });
    if (result.ok) return ctx.redirect(paths.pay(result.value.id), 303);
    const { init, problems } = result;
    const offer = await getPromotionOffer(deps);
    return page<Data>({ offer, values, problems }, init);
  },
});

export default define.page<typeof handler>(function Promote({ data, state }) {
  return (
    <Page
      deps={state.deps}
      title="Promote"
      problems={data.problems}
      description={`Labeled paid placements for ${TIERS[0].days} to ${
        TIERS.at(-1)!.days
      } days. They never change the rankings.`}
      path={paths.promote}
      json={paths.apiPromote}
    >
      <h1>Promote a project</h1>
      <Offer {...data} />
    </Page>
  );
});

function Offer({ offer, values, problems }: Data) {
  const hasForm = offer.paymentsOpen || problems.length > 0;
  return (
    <>
      <p class="lead">
        A labeled spot on the home page, for a fixed time. It never changes the rankings.
      </p>
      {!offer.paymentsOpen && <p class="notice">Promotions are not for sale right now.</p>}
      <div class="columns">
        {hasForm ? <OrderForm offer={offer} values={values} problems={problems} /> : (
          <div>
            <ul class="plain tiers" aria-label="Tiers">
              {cards(offer).map(({ value, label }) => (
                <li key={value} class="choice">
                  <span>{label}</span>
                </li>
              ))}
            </ul>
            <p class="dim">{offer.notice}</p>
          </div>
        )}
        <aside class="side" aria-label="Good to know">
          <section aria-labelledby="spots">
            <h2 id="spots">Spots and fees</h2>
            <p>
              {offer.featuredNow} of {offer.maxFeaturedSlots} spots are taken. If more than{" "}
              {offer.maxFeaturedSlots}{" "}
              projects are promoted, higher tiers come first, and projects in the same tier rotate
              every hour.
            </p>
            <p>
              A promotion starts when your payment goes through. Buy again anytime to add days.{" "}
              <a href={paths.stats}>See our traffic</a>.
            </p>
            <p>{offer.feeNotice}</p>
          </section>
          {offer.paymentsOpen && (
            <section aria-labelledby="auctioned">
              <h2 id="auctioned">Front Row</h2>
              <p>
                One project a week gets the top spot on the home page.{" "}
                <a href={paths.auctions}>See the auctions</a>.
              </p>
            </section>
          )}
          <section aria-labelledby="agents">
            <h2 id="agents">For agents</h2>
            <p>
              Send <code>POST /api/v1/promote</code> with <code>slug</code> and{" "}
              <code>tierId</code>, or call <code>create_promotion_checkout</code>{" "}
              over MCP. A human pays at the link in the response.{" "}
              <a href={paths.apiOperation("promoteProject")}>See how</a>.
            </p>
          </section>
        </aside>
      </div>
    </>
  );
}

/** The tiers as the options of a field, each with what it has that the one below it doesn't. */
function cards({ tiers }: PromoteBody) {
  return tiers.map(({ id, name, days, total, fee, autoRenew, perks }, i) => {
    const below = tiers[i - 1];
    return {
      value: id,
      label: (
        <>
          <strong>{name}</strong>{" "}
          <span class={`tier-total${autoRenew ? " renews" : ""}`}>
            {total} <small>for {days} days, including a {fee} fee.</small>
          </span>{" "}
          {below && <span>Everything in {below.name}, plus:</span>}{" "}
          {perks.filter((perk) => !below?.perks.includes(perk)).map((perk) => (
            <Fragment key={perk}>
              <span class="perk">
                {PLAINLY[perk] ?? perk}.
              </span>
              {" "}
            </Fragment>
          ))}
        </>
      ),
    };
  });
}

function OrderForm({ offer, values, problems }: Data) {
  const { common } = fieldProps(LABELS, { values, problems });
  return (
    <form method="post" action={paths.promote} class="form">
      <ProblemSummary problems={problems} labels={LABELS} undone="Your order wasn't placed" />
      <ChoiceField
        {...common("tierId")}
        class="tiers"
        type="radio"
        values={textsOf(values, "tierId")}
        options={cards(offer)}
        required
      />
      <SlugField values={values} problems={problems} />
      <ChoiceField
        {...common("autoRenew")}
        type="checkbox"
        values={textsOf(values, "autoRenew")}
        options={[{ value: "yes", label: `Renew every ${renewals("name")}` }]}
        hint="Cancel anytime from the project's billing page. The promotion runs to the end of the paid period."
      />
      <p>{offer.notice}</p>
      <button type="submit" class="button primary">Review order</button>
    </form>
  );
}
