import type { AuctionBody } from "../lib/auctions/schema.ts";
import { paths } from "../lib/urls.ts";
import { Table } from "./Table.tsx";
import { Time } from "./Time.tsx";

/** The accepted bids of an auction, newest first; nothing if there are none. */
export function BidHistory({ bids }: Pick<AuctionBody["auction"], "bids">) {
  if (bids.length === 0) return null;
  return (
    <section aria-labelledby="history">
      <h2 id="history">Bid history</h2>
      <Table
        label="Table of bids"
        caption={
          <>
            Accepted bids, newest first.{" "}
            <span>
              Each hash covers its bid and all earlier ones, so changing any of them would show.
            </span>
          </>
        }
        columns={[{ num: "Bid" }, "Project", "Time", "Hash"]}
      >
        {bids.map((bid) => (
          <tr key={bid.number}>
            <td class="num">{bid.amount}</td>
            <th scope="row">
              {bid.slug === null
                ? "Not public"
                : <a href={paths.listing(bid.slug)} dir="auto">{bid.name}</a>}{" "}
              <span class="label">{bid.status === "high" ? "leading" : bid.status}</span>
            </th>
            <td>
              <Time iso={bid.at} exact />
              {bid.extended && " (extended the auction)"}
            </td>
            <td>
              <code class="hash">{bid.hash.slice(0, 12)}</code>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
