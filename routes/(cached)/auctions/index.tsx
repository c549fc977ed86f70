import { page } from "fresh";
import { EmptyState } from "@/components/EmptyState.tsx";
import { Rules } from "@/components/Rules.tsx";
import { Table } from "@/components/Table.tsx";
import { formatSpan } from "@/components/format.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { Time } from "@/components/Time.tsx";
import type { PublicAuction } from "@/lib/auctions/schema.ts";
import { listAuctions } from "@/lib/auctions/service.ts";
import { define } from "@/lib/define.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  async GET(ctx) {
    return page(await listAuctions(ctx.state.deps));
  },
});

export default define.page<typeof handler>(function Auctions({ data: auctions, state }) {
  const { frontRow } = auctions;
  return (
    <main id="main" class="page narrow">
      <PageHead
        deps={state.deps}
        title="Front Row auction"
        description="One sponsored slot a week, sold in public."
        path={paths.auctions}
        json={paths.apiAuctions}
      />
      <h1>Front Row auction</h1>
      <p class="lead">
        One sponsored slot a week, sold in public to the highest bid: the first place on the
        homepage, in its ticker and in the lists that agents read.
      </p>
      <section aria-labelledby="now">
        <h2 id="now">This week</h2>
        {frontRow === null ? <p>Nobody holds the Front Row this week.</p> : (
          <>
            <p class="holder">
              <a href={paths.listing(frontRow.slug)} dir="auto">{frontRow.name}</a>{" "}
              <span class="label paid">Sponsored</span>
            </p>
            <p class="dim" dir="auto">{frontRow.tagline}</p>
          </>
        )}
      </section>
      <section aria-labelledby="open">
        <h2 id="open">Open now</h2>
        {!auctions.paymentsOpen && (
          <p class="notice">Bidding is not open on this site at the moment.</p>
        )}
        {auctions.open.length === 0
          ? (
            <EmptyState title="No auction is open.">
              <p>
                Bidding opens on <Time iso={auctions.nextOpening.opensAt} exact />.
              </p>
            </EmptyState>
          )
          : <AuctionTable auctions={auctions.open} caption="Open auctions" />}
        {auctions.paymentsOpen &&
          auctions.open.map((auction) => (
            <a key={auction.id} class="button primary" href={paths.auction(auction.id)}>
              Bid for {formatSpan(auction.startsAt, auction.endsAt)}
            </a>
          ))}
      </section>
      {auctions.closing.length > 0 && (
        <section aria-labelledby="closing">
          <h2 id="closing">Closed, starting soon</h2>
          <AuctionTable auctions={auctions.closing} caption="Closed auctions" />
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
                bids from <Time iso={auction.opensAt} />
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="winners">
        <h2 id="winners">Past winners</h2>
        {auctions.pastWinners.length === 0 ? <p>Nobody has won yet.</p> : (
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
      <Rules rules={auctions.rules}>
        <p class="dim">{auctions.feeNotice}</p>
      </Rules>
    </main>
  );
});

function AuctionTable({ auctions, caption }: { auctions: PublicAuction[]; caption: string }) {
  return (
    <Table
      label={caption}
      caption={caption}
      isCaptionQuiet
      columns={[
        "Week",
        { num: "High bid" },
        { num: "Minimum next bid" },
        auctions[0]!.status === "open" ? "Closes" : "Closed",
      ]}
    >
      {auctions.map((auction) => (
        <tr key={auction.id}>
          <th scope="row">
            <a href={paths.auction(auction.id)}>
              {formatSpan(auction.startsAt, auction.endsAt)}
            </a>
          </th>
          <td class="num">{auction.highBid ?? "none"}</td>
          <td class="num">{auction.status === "open" ? auction.minNextBid : "closed"}</td>
          <td>
            <Time iso={auction.closesAt} exact />
          </td>
        </tr>
      ))}
    </Table>
  );
}
