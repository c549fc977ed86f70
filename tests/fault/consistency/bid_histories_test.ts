import { assert, assertEquals } from "@std/assert";
import type { BidCheckout } from "@/lib/auctions/schema.ts";
import { delay } from "@/lib/clock.ts";
import { paymentKeys } from "@/lib/payments/keys.ts";
import { addressOf, submit } from "../../support/listings.ts";
import { AUCTION_ID, paidApp } from "../../support/payments.ts";
import { rounds, runSeed, seededRandom } from "../../support/runs.ts";
import {
  type BidInput,
  bidModel,
  type BidOutput,
  isLinearizable,
  type Operation,
} from "./linearizability.ts";

const BIDDERS = 7;

/** A random history of confirmed holds and readers on one open auction, all concurrent. */
async function bidHistory(
  seed: number,
  options: { staleReads?: boolean } = {},
): Promise<Operation<BidInput, BidOutput>[]> {
  const random = seededRandom(seed);
  await using app = await paidApp();
  const amounts = new Map<string, number>();
  for (let i = 0; i < BIDDERS; i++) {
    const { project: { slug } } = await submit(app);
    const amountCents = 1_000 + Math.floor(random() * 30) * 50;
    const { status, body } = await app.json(`/api/v1/auctions/${AUCTION_ID}/bids`, {
      json: { slug, amountCents },
      address: addressOf(1_000 + i),
    });
    assertEquals(status, 201, JSON.stringify(body));
    const session = app.sessionOf(body.checkoutUrl);
    assert(app.stripe.pay(session));
    amounts.set(session, amountCents);
  }
  const events = app.stripe.undelivered().filter((event) =>
    event.type === "checkout.session.completed"
  );
  const history: Operation<BidInput, BidOutput>[] = [];
  const confirmations: { bidId: string; at: number }[] = [];
  let clock = 0;
  let seenBefore = 0;
  const confirm = async (event: (typeof events)[number]) => {
    const session = event.data.object as unknown as { id: string; metadata: { bidId: string } };
    const calledAt = ++clock;
    const { ok } = await app.post(event);
    // A response that asks Stripe to resend leaves open when the bid was judged.
    const returnedAt = ok ? ++clock : Infinity;
    const input = { type: "confirm", amountCents: amounts.get(session.id)! } as const;
    confirmations.push({ bidId: session.metadata.bidId, at: history.length });
    history.push({ input, calledAt, returnedAt });
  };
  const read = async () => {
    await delay(random() * 6);
    const calledAt = ++clock;
    const { body } = await app.json(`/api/v1/auctions/${AUCTION_ID}`);
    const returnedAt = ++clock;
    const now = body.auction.highBidCents ?? 0;
    const highCents = options.staleReads ? seenBefore : now;
    seenBefore = now;
    history.push({ input: { type: "read" }, output: { highCents }, calledAt, returnedAt });
  };
  await Promise.all([...events.map(confirm), ...Array.from({ length: 8 }, read)]);
  await app.deliverAll();
  await read();
  for (const { bidId, at } of confirmations) {
    const bid = await app.deps.store.get<BidCheckout>(paymentKeys.checkout(bidId));
    history[at]!.output = { accepted: bid.value!.state !== "lapsed" };
  }
  return history;
}

Deno.test("bid histories are linearizable", async () => {
  const base = runSeed("bid histories");
  let accepted = 0;
  let lapsed = 0;
  for (let round = 0; round < rounds(6, 1_000); round++) {
    const history = await bidHistory(base + round);
    for (const { input, output } of history) {
      if (input.type !== "confirm") continue;
      if ((output as { accepted: boolean }).accepted) accepted++;
      else lapsed++;
    }
    assert(isLinearizable(bidModel, history), `seed ${base + round}: ${JSON.stringify(history)}`);
  }
  assert(accepted > 0 && lapsed > 0, `${accepted} accepted, ${lapsed} lapsed`);
});

Deno.test("the checker detects injected stale reads of an auction", async () => {
  const seed = runSeed("stale auction reads");
  let caught = 0;
  for (let round = 0; round < 5; round++) {
    const history = await bidHistory(seed + round, { staleReads: true });
    if (!isLinearizable(bidModel, history)) caught++;
  }
  assert(caught >= 3, `caught ${caught} of 5`);
});
