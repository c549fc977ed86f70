import { dollars } from "../../payments/fees.ts";
import { plural } from "../../text/count.ts";
import { listAuctionRows, showAuctionRecord } from "../auctions.ts";
import { type Commands, shown } from "../command.ts";

/** Commands for auctions. They only read: bids and holds follow their own rules. */
export const auctionCommands: Commands = {
  "auctions list": {
    summary: "Auctions with bids, and the one that is open or opens next, latest first",
    async run({ deps }) {
      const auctions = await listAuctionRows(deps);
      return {
        lines: auctions.map(({ id, status, outcome, closesAt, bids, high }) =>
          [
            id,
            outcome ?? status,
            `closes ${closesAt}`,
            plural(bids, "bid"),
            high === null ? "" : `${high.slug} ${dollars(high.amountCents)}`,
          ].join("  ").trimEnd()
        ),
        data: { auctions },
      };
    },
  },
  "auctions show": {
    args: ["id"],
    summary: "An auction with its bids, their holds, and whether the hash chain is intact",
    async run({ deps, args }) {
      const record = await showAuctionRecord(deps, args.id!);
      return { ...shown("auction", record), data: { ...record } };
    },
  },
};
