import { page } from "fresh";
import { Fact } from "@/components/Fact.tsx";
import { FrontCard } from "@/components/FrontRow.tsx";
import { Page } from "@/components/Page.tsx";
import { Rules } from "@/components/Rules.tsx";
import { Time } from "@/components/Time.tsx";
import { define } from "@/lib/app/define.ts";
import type { PublicAuction } from "@/lib/auctions/schema.ts";
import { listAuctions } from "@/lib/auctions/service.ts";
import { formatSpan } from "@/lib/text/dates.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  GET: async (ctx) => page(await listAuctions(ctx.state.deps)),
});

export default define.page<typeof handler>(function Auctions({ data: auctions, state }) {
  const { frontRow } = auctions;
  return (
    <Page
      deps={state.deps}
      title="Front Row auction"
      description="One sponsored spot a week, sold by public auction."
      path={paths.auctions}
      json={paths.apiAuctions}
      lead="One sponsored spot a week goes to the highest bidder: the top spot on the home page and in the lists that agents read."
    >
      <div class="columns">
        <div>
          <section aria-labelledby="open" class="lot">
            <h2 id="open">{auctions.paymentsOpen ? "Open now" : "Current auction"}</h2>
            {!auctions.paymentsOpen
              ? <p>Payments are closed right now, so nobody can bid.</p>
              : auctions.open.length === 0 && (
                <p>
                  No open auction. Bidding opens on{" "}
                  <Time iso={auctions.nextOpening.opensAt} exact />.
                </p>
              )}
            {auctions.open.map((auction) => (
              <div key={auction.id}>
                <AuctionFacts auction={auction} />
                {auctions.paymentsOpen && (
                  <p class="more">
                    <a class="button primary" href={paths.auction(auction.id)}>
                      Bid on the week of <Time iso={auction.startsAt} />
                    </a>
                  </p>
                )}
              </div>
            ))}
          </section>
          <section aria-labelledby="now">
            <div class="section-head">
              <h2 id="now">This week</h2>
              {frontRow && (
                <p>
                  <span class="label paid">Sponsored</span>
                </p>
              )}
            </div>
            {frontRow === null
              ? <p class="front-empty">The Front Row is empty this week.</p>
              : <FrontCard listing={frontRow} />}
          </section>
          {auctions.closing.length > 0 && (
            <section aria-labelledby="closing">
              <h2 id="closing">Starting soon</h2>
              {auctions.closing.map((auction) => (
                <AuctionFacts key={auction.id} auction={auction} />
              ))}
            </section>
          )}
          <section aria-labelledby="upcoming">
            <h2 id="upcoming">Upcoming</h2>
            <ul class="plain leaders">
              {auctions.upcoming.map((auction) => (
                <li key={auction.id} class="leader">
                  <a href={paths.auction(auction.id)}>
                    {formatSpan(auction.startsAt, auction.endsAt)}
                  </a>
                  <span class="dots" aria-hidden="true" />{" "}
                  <span>
                    opens <Time iso={auction.opensAt} />
                  </span>
                </li>
              ))}
            </ul>
          </section>
          <section aria-labelledby="winners">
            <h2 id="winners">Past winners</h2>
            {auctions.pastWinners.length === 0
              ? <p>No past winners to show.</p>
              : (
                <ul class="plain leaders">
                  {auctions.pastWinners.map(({ id, slug, name, amount, startsAt }) => (
                    <li key={id} class="leader">
                      <a href={paths.listing(slug)} dir="auto">{name}</a>
                      <span class="dots" aria-hidden="true" />{" "}
                      <span>
                        {amount},{" "}
                        <a href={paths.auction(id)} class="week">
                          week of <Time iso={startsAt} />
                        </a>
                      </span>
                    </li>
                  ))}
                </ul>
              )}
          </section>
        </div>
        <div class="side">
          <Rules rules={auctions.rules} shown={3}>
            <p class="dim">{auctions.feeNotice}</p>
          </Rules>
        </div>
      </div>
    </Page>
  );
});

/** The state of the bidding for a week. */
function AuctionFacts({ auction }: { auction: PublicAuction }) {
  const isOpen = auction.status === "open";
  return (
    <dl class="facts standing">
      <Fact term="Week">
        <a href={paths.auction(auction.id)}>{formatSpan(auction.startsAt, auction.endsAt)}</a>
      </Fact>
      <Fact term={isOpen ? "Closes" : "Closed"}>
        <Time iso={auction.closesAt} exact />
      </Fact>
      <Fact term="High bid" class={auction.highBid === null ? undefined : "num"}>
        {auction.highBid ?? "None"}
      </Fact>
      {isOpen && <Fact term="Minimum bid">{auction.minNextBid}</Fact>}
    </dl>
  );
}
