import { page } from "fresh";
import { BidHistory } from "@/components/BidHistory.tsx";
import { Countdown } from "@/components/Countdown.tsx";
import { Fact } from "@/components/Fact.tsx";
import { SlugField, TextField } from "@/components/FormField.tsx";
import { Page } from "@/components/Page.tsx";
import { ProblemSummary } from "@/components/ProblemSummary.tsx";
import { Time } from "@/components/Time.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { placeBid } from "@/lib/auctions/bids.ts";
import { bidFromForm } from "@/lib/auctions/form.ts";
import { type AuctionBody, BidInput, NOT_CENTS, parseBid } from "@/lib/auctions/schema.ts";
import { getAuction } from "@/lib/auctions/service.ts";
import { readOpenAuction } from "@/lib/auctions/status.ts";
import { isoTime } from "@/lib/clock.ts";
import {
  type FormState,
  type FormValues,
  NO_STORE,
  readTyped,
  submitForm,
  textOf,
} from "@/lib/http/forms.ts";
import { channelsOf } from "@/lib/notices/channels.ts";
import { arePaymentsOpen } from "@/lib/payments/availability.ts";
import { forNamedProject } from "@/lib/site/named_project.ts";
import { formatSpan } from "@/lib/text/dates.ts";
import { paths, withQuery } from "@/lib/urls.ts";

type Auction = AuctionBody["auction"];

type Data = FormState & Awaited<ReturnType<typeof readShown>>;

const LABELS = { slug: "Project", amount: "Bid" };

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const shown = await readShown(deps, ctx.params.id!);
    const given = (name: string) => ctx.url.searchParams.get(name) ?? undefined;
    const values = { slug: given("slug"), amount: given("amount") };
    // A cached page would count down from when it was rendered.
    return page<Data>({ ...shown, values, problems: [] }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const auctionId = ctx.params.id!;
    const values = await readTyped(ctx);
    const bid = async (form: FormValues) => {
      const input = parseBid(BidInput, bidFromForm(form));
      const request = { ...input, auctionId, caller, idempotencyKey: null };
      return await placeBid(deps, request);
    };
    const result = await submitForm(() => forNamedProject(deps, values, bid), { notFound: "slug" });
    if (result.ok) return ctx.redirect(paths.pay(result.value.id), 303);
    const { init } = result;
    const problems = result.problems.map(({ field, message }) => ({
      field: field === "amountCents" ? "amount" : field,
      message: message === NOT_CENTS ? "Enter an amount in dollars, such as 12.50" : message,
    }));
    const shown = await readShown(deps, auctionId);
    return page<Data>({ ...shown, values, problems }, init);
  },
});

async function readShown(deps: Deps, id: string) {
  const shown = await getAuction(deps, id);
  const paymentsOpen = await arePaymentsOpen(deps);
  const openNow = await readOpenAuction(deps.store, deps.clock.now());
  // Whether the site can tell a bidder who is outbid.
  const isTold = channelsOf(deps.env).webhook;
  return { ...shown, paymentsOpen, openNow, isTold };
}

export default define.page<typeof handler>(function AuctionPage({ data, state }) {
  const { auction } = data;
  const now = state.deps.clock.now();
  const hasStanding = auction.status !== "past" || auction.highBid !== null;
  return (
    <Page
      deps={state.deps}
      title={`Front Row, ${formatSpan(auction.startsAt, auction.endsAt)}`}
      problems={data.problems}
      description={`Bids and bid history for the Front Row, ${
        formatSpan(auction.startsAt, auction.endsAt)
      }: the one sponsored spot of the week.`}
      path={paths.auction(auction.id)}
      json={paths.apiAuction(auction.id)}
      heading={
        <>
          Front Row, <span class="together">{formatSpan(auction.startsAt, auction.endsAt)}</span>
        </>
      }
      lead={leadOf(auction, now)}
    >
      <div class={hasStanding ? "columns" : undefined}>
        {hasStanding && <Standing {...data} now={now} />}
        <section aria-labelledby="bid" class={hasStanding ? "ballot" : "panel"}>
          <h2 id="bid">
            {auction.status === "open" ? "Bid" : auction.status === "upcoming"
              ? (
                <>
                  Bidding opens <Time iso={auction.opensAt} />
                </>
              )
              : "Bid on another week"}
          </h2>
          <Bidding {...data} />
        </section>
        <div class="below">
          <BidHistory bids={auction.bids} />
          {auction.status === "open" && data.paymentsOpen && (
            <p class="dim">
              Agents can bid with <code>POST {paths.apiBids(auction.id)}</code> or the{" "}
              <code>place_bid</code> MCP tool. <a href={paths.apiOperation("placeBid")}>See how</a>.
              {" "}
              A human completes the payment.
            </p>
          )}
          <p>
            <a href={paths.auctions} aria-current="false">All auctions and the rules</a>
          </p>
        </div>
      </div>
    </Page>
  );
});

/** The state of the bidding. */
function Standing({ auction, now }: Data & { now: number }) {
  return (
    <dl class="facts standing">
      {auction.status === "upcoming" && (
        <Fact term="Opens">
          <Time iso={auction.opensAt} exact />
        </Fact>
      )}
      <Fact term={auction.status === "past" ? "Closed" : "Closes"}>
        <Time iso={auction.closesAt} exact />
        {auction.status === "open" && (
          <>
            <br />
            <Countdown until={auction.closesAt} now={now} />
          </>
        )}
        {auction.extended && " (extended by late bids)"}
      </Fact>
      {auction.status === "upcoming" && <Fact term="First bid">At least {auction.minNextBid}</Fact>}
      {auction.highBid !== null && <Fact term="High bid" class="num">{auction.highBid}</Fact>}
      {auction.highBidder && (
        <Fact term={placeOf(auction)}>
          <a href={paths.listing(auction.highBidder.slug)} dir="auto">
            {auction.highBidder.name}
          </a>
        </Fact>
      )}
    </dl>
  );
}

/** The bid form while this auction is open, or a link to where bidding continues. */
function Bidding(data: Data) {
  const { auction, nextOpening, openNow, paymentsOpen, values, problems } = data;
  if (auction.status === "open") {
    return (
      <>
        {!paymentsOpen && <p class="notice">Payments are closed right now, so nobody can bid.</p>}
        {(paymentsOpen || problems.length > 0) && <BidForm {...data} />}
      </>
    );
  }
  // Keeps the typed values for the auction that takes bids now or next.
  const [slug, amount] = [textOf(values, "slug"), textOf(values, "amount")];
  const bidAt = (id: string) => withQuery(paths.auction(id), { slug, amount });
  return (
    <>
      {problems.length > 0 && (
        <p class="notice" role="alert" tabIndex={-1} autofocus>
          This auction isn't taking bids right now. Your bid wasn't placed (amount:{" "}
          {amount ?? "none"}, project: <span dir="auto">{slug ?? "none"}</span>).
        </p>
      )}
      {auction.status === "upcoming" && openNow && (
        <p>Until then, you can bid on an earlier week.</p>
      )}
      {openNow
        ? (
          <p>
            <a class="button primary" href={bidAt(openNow.id)}>
              Bid on the week of <Time iso={isoTime(openNow.startsAt)} />
            </a>
          </p>
        )
        : nextOpening.id !== auction.id && (
          <p>
            The next auction opens on <Time iso={nextOpening.opensAt} exact />.{" "}
            <a href={bidAt(nextOpening.id)}>See that auction</a>
          </p>
        )}
    </>
  );
}

/** The high bidder's label: once bidding is over, it no longer leads. */
function placeOf({ winner, status }: Auction): string {
  if (winner !== null) return "Winner";
  return status === "past" ? "Highest bidder" : "Leader";
}

/** What is sold, or what became of it. */
function leadOf(auction: Auction, now: number) {
  const { status, outcome, bidCount, winner, closesAt, endsAt } = auction;
  if (status !== "past") {
    return "The top spot on the home page and in the lists that agents read, for one week.";
  }
  const over = now < Date.parse(endsAt) ? "Bidding is over" : "This week is over";
  if (winner !== null) {
    return (
      <>
        {over}. <a href={paths.listing(winner.slug)} dir="auto">{winner.name}</a> won.
      </>
    );
  }
  if (outcome === "won") return `${over}. The winner is no longer listed.`;
  if (outcome === "no-bids") {
    return (
      <>
        Bidding closed on <Time iso={closesAt} exact />.{" "}
        {bidCount > 0 ? "Nobody won." : "Nobody bid."}
      </>
    );
  }
  if (outcome === "capture-failed") {
    return `${over}. The winner's card couldn't be charged, so the spot stays empty.`;
  }
  return `${over}. The winner's payment is in progress.`;
}

function BidForm({ auction, values, problems, isTold }: Data) {
  const { minNextBid, minNextFee, minNextTotal } = auction;
  return (
    <form method="post" action={paths.auction(auction.id)} class="form">
      <ProblemSummary problems={problems} labels={LABELS} undone="Your bid wasn't placed" />
      <SlugField values={values} problems={problems} />
      <TextField
        name="amount"
        label="Bid in dollars"
        hint={minNextFee === null
          ? `At least ${minNextBid}.`
          : `At least ${minNextBid}. At that amount, we hold ${minNextTotal} on your card, ` +
            `including the ${minNextFee} fee.`}
        value={textOf(values, "amount")}
        inputMode="decimal"
        problems={problems}
        required
      />
      <p class="hint">
        Bids are binding, and all sales are final. Your card is charged only if you win. If you're
        outbid, the hold is released right away
        {isTold
          ? ", and we notify the project's contact, if it has one."
          : ". We can't notify you, so check this page to see who leads."}
      </p>
      <button type="submit" class="button primary">Review bid</button>
    </form>
  );
}
