/**
 * The invariants of money, checked against the state of KV and Stripe; numbered as in
 * docs/threats.md.
 */
import { assert, assertEquals } from "@std/assert";
import {
  auctionDates,
  closeAfterBid,
  minNextBidCents,
  storedAuctionDates,
} from "@/lib/auctions/calendar.ts";
import { firstBrokenEntry, type HistoryEntry } from "@/lib/auctions/history.ts";
import { auctionKeys } from "@/lib/auctions/keys.ts";
import { releaseOf } from "@/lib/auctions/operations.ts";
import type { StoredAuction } from "@/lib/auctions/schema.ts";
import type { BidCheckout } from "@/lib/auctions/schema.ts";
import { closeOf } from "@/lib/auctions/status.ts";
import { findTier, TIERS } from "@/lib/catalog/tiers.ts";
import { DAY_MS } from "@/lib/clock.ts";
import { charge } from "@/lib/payments/fees.ts";
import { paymentKeys } from "@/lib/payments/keys.ts";
import type { Checkout, Operation } from "@/lib/payments/schema.ts";
import { promotionKeys } from "@/lib/promotions/keys.ts";
import { COLLECTED_WITHIN_MS } from "@/lib/promotions/renewals.ts";
import type { Grant } from "@/lib/promotions/schema.ts";
import { addTime, type PromotionBalance } from "@/lib/promotions/time.ts";
import { type MoneyStage, SLUGS } from "./money_stage.ts";
import { endOf } from "./promotions.ts";
import type { PaymentIntent } from "./stripe/objects.ts";

async function all<T>(world: MoneyStage, prefix: Deno.KvKey): Promise<[Deno.KvKey, T][]> {
  const found: [Deno.KvKey, T][] = [];
  for await (const { key, value } of world.kv.list<T>({ prefix })) found.push([key, value]);
  return found;
}

/** What must hold after every step, crash or not. */
export async function checkAlways(world: MoneyStage): Promise<void> {
  const auctions = await all<StoredAuction>(world, auctionKeys.all);
  const pending = new Set((await all(world, paymentKeys.operations)).map(([key]) => key.at(-1)));
  for (const [, auction] of auctions) {
    const history = await checkHistory(world, auction);
    checkCaptures(world, auction.id, history);
  }
  const leading = new Set(auctions.map(([, auction]) => auction.high?.bidId));
  for (const intent of world.stripe.intents.values()) {
    if (intent.status !== "requires_capture") continue;
    const bid = await bidOf(world, intent);
    // 24: a hold leads, awaits its only decision, or its release is recorded.
    if (bid.state === "pending") continue;
    if (leading.has(bid.id) && bid.intentId === intent.id && bid.state !== "capture-failed") {
      continue;
    }
    const release = releaseOf({ intentId: intent.id, bidId: bid.id }).id;
    assert(
      pending.has(release),
      `invariant 24: ${intent.id} of ${bid.state} ${bid.id} is still held`,
    );
  }
  await checkGrants(world);
  await checkDue(world);
  assertEquals([...world.overchecked], [], "a KV server would refuse so many checks");
}

/** The job that runs each minute never sleeps past the time when something is due. */
async function checkDue({ kv }: MoneyStage): Promise<void> {
  const { value: dueAt } = await kv.get<number>(paymentKeys.health("due"));
  for await (const { value } of kv.list<Operation>({ prefix: paymentKeys.operations })) {
    if (value.givenUpAt === undefined) assert((dueAt ?? 0) <= value.notBefore, value.id);
  }
  for await (const { key } of kv.list({ prefix: auctionKeys.allUnsettled })) {
    const id = key.at(-1) as string;
    const { value } = await kv.get<StoredAuction>(auctionKeys.one(id));
    assert((dueAt ?? 0) <= closeOf(storedAuctionDates(id), value), id);
  }
}

/** What must hold once everything has settled; returns how much happened. */
export async function checkSettled(
  world: MoneyStage,
  { refusesCapture = false }: { refusesCapture?: boolean } = {},
): Promise<{ grants: number; accepted: number }> {
  await checkAlways(world);
  const left = await all(world, paymentKeys.operations);
  assertEquals(left.map(([key]) => key), [], "invariant 29: operations are left");
  assertEquals((await all(world, paymentKeys.openCheckouts)).map(([key]) => key), []);
  // Checked in the records too: nothing would ever look at a record missing from the index.
  const checkouts = await all<Checkout>(world, ["checkouts"]);
  const open = checkouts.filter(([, { status }]) => status === "creating" || status === "open");
  assertEquals(open.map(([key]) => key), [], "invariant 29: checkouts have no end");
  assertEquals((await all(world, auctionKeys.allUnsettled)).map(([key]) => key), []);

  // 20 and 23: every payment is granted once, and nothing else is granted.
  const due = new Set<string>();
  for (const session of world.stripe.sessions.values()) {
    const isOrder = session.metadata.kind === "promotion" && session.mode === "payment";
    if (isOrder && session.payment_status === "paid") due.add(session.id);
  }
  for (const invoice of world.stripe.invoices.values()) {
    if (invoice.status === "paid") due.add(invoice.id);
  }
  const grants = await all<Grant>(world, promotionKeys.grants);
  assertEquals(new Set(grants.map(([key]) => key.at(-1) as string)), due, "invariant 20");

  // 24, 25, 28: every hold has ended; only an auction's last accepted bid was captured.
  const auctions = new Map(
    (await all<StoredAuction>(world, auctionKeys.all)).map(([, auction]) => [auction.id, auction]),
  );
  for (const intent of world.stripe.intents.values()) {
    if (intent.metadata.kind !== "bid" || world.capturedByHand.has(intent.id)) continue;
    assert(intent.status !== "requires_capture", `invariant 28: ${intent.id} is still held`);
    const bid = await bidOf(world, intent);
    const high = auctions.get(bid.auctionId)?.high;
    assertEquals(intent.status === "succeeded", bid.state === "won" && bid.intentId === intent.id);
    if (intent.status === "succeeded") assertEquals(high?.bidId, bid.id);
  }
  for (const auction of auctions.values()) {
    assert(auction.closedAt !== null && auction.outcome !== null);
    if (auction.high === null) {
      assertEquals(auction.outcome, "no-bids");
      continue;
    }
    const winner = world.stripe.intents.get(auction.high.intentId)!;
    assertEquals(auction.outcome === "won", winner.status === "succeeded");
    // If no capture fails, only a hold that lapsed at Stripe may fail.
    if (auction.outcome === "capture-failed" && !refusesCapture) {
      assertEquals(winner.cancellation_reason, "automatic", "invariant 25: given up too soon");
    }
  }
  await checkSubscriptions(world);
  const accepted = [...auctions.values()].reduce((sum, auction) => sum + auction.bids, 0);
  return { grants: grants.length, accepted };
}

/**
 * 26 and 27: history rises by the minimum, within the close as extended so far, and its chain
 * holds.
 */
async function checkHistory(world: MoneyStage, auction: StoredAuction): Promise<HistoryEntry[]> {
  const entries = (await all<HistoryEntry>(world, auctionKeys.history(auction.id)))
    .map(([, entry]) => entry).sort((a, b) => a.number - b.number);
  assertEquals(entries.length, auction.bids);
  assertEquals(firstBrokenEntry(auction.id, entries), null);
  const dates = auctionDates(auction.id, world.clock.now())!;
  let high: number | null = null;
  let closesAt = dates.scheduledCloseAt;
  for (const entry of entries) {
    assert(entry.amountCents >= minNextBidCents(high), "invariant 26");
    assert(dates.opensAt <= entry.at && entry.at < closesAt, "invariant 27");
    const next = closeAfterBid(dates, closesAt, entry.at);
    assertEquals(entry.extended, next > closesAt);
    closesAt = next;
    // The listing of a leading bid was withdrawn: bidding started over.
    high = entry.withdrawn ? null : entry.amountCents;
  }
  assertEquals(auction.closesAt, closesAt);
  if (auction.closedAt !== null) assert(auction.closedAt >= closesAt, "closed too early");
  assertEquals(auction.high?.amountCents ?? null, high);
  if (auction.high !== null) assertEquals(auction.high.slug, entries.at(-1)?.slug);
  return entries;
}

/** 25: at most one capture, in full, of the last accepted bid, after the close. */
function checkCaptures(world: MoneyStage, auctionId: string, history: HistoryEntry[]): void {
  const captured = [...world.stripe.intents.values()].filter((intent) =>
    intent.metadata.auctionId === auctionId && intent.status === "succeeded" &&
    !world.capturedByHand.has(intent.id)
  );
  assert(captured.length <= 1, "invariant 25: two captures");
  const [intent] = captured;
  if (intent === undefined) return;
  const last = history.at(-1)!;
  assertEquals(intent.metadata.slug, last.slug, "captured for a listing that did not win");
  assertEquals(intent.amount_received, charge(last.amountCents).totalCents);
}

/** 20 and 21: a promotion is the sum of its grants, in the order they were made. */
async function checkGrants(world: MoneyStage): Promise<void> {
  const grants: Deno.KvEntry<Grant>[] = [];
  for await (const entry of world.kv.list<Grant>({ prefix: promotionKeys.grants })) {
    grants.push(entry);
  }
  grants.sort((a, b) => (a.versionstamp < b.versionstamp ? -1 : 1));
  const balances = await world.kv.getMany<PromotionBalance[]>(SLUGS.map(promotionKeys.one));
  for (const [i, slug] of SLUGS.entries()) {
    const { value } = balances[i]!;
    let expected: PromotionBalance | null = null;
    let end = 0;
    let days = 0;
    let extra = 0;
    for (const { key, value: grant } of grants) {
      if (grant.slug !== slug) continue;
      const periodEnd = periodEndOf(world, key.at(-1) as string);
      assertEquals(grant.days, findTier(grant.tierId)!.days);
      expected = addTime(expected, { ...grant, ...(periodEnd && { periodEnd }) }, grant.at);
      end = Math.max(end, grant.at) + grant.days * DAY_MS;
      days += grant.days;
      // A month has up to 31 days, and a late grant may extend to the end of its period.
      if (periodEnd) extra += Math.max(DAY_MS, periodEnd - grant.at);
    }
    assertEquals(value, expected, "invariant 20");
    if (value === null) continue;
    assert(endOf(value) >= end, `invariant 21: ${slug} lost time`);
    assert(endOf(value) <= end + extra, `invariant 20: ${slug} gained time over ${days} days`);
  }
}

/**
 * When (ms) an invoice's period ends, plus the time to collect the next payment; undefined for a
 * session.
 */
function periodEndOf(world: MoneyStage, paidId: string): number | undefined {
  const invoice = world.stripe.invoices.get(paidId);
  return invoice && invoice.lines.data[0]!.period.end * 1000 + COLLECTED_WITHIN_MS;
}

/** At most one live renewal per listing and tier, none for a hidden listing. */
async function checkSubscriptions(world: MoneyStage): Promise<void> {
  const live = [...world.stripe.subscriptions.values()].filter((s) => s.status !== "canceled");
  for (const slug of SLUGS) {
    const listing = await world.kv.get<{ state: string }>(["listings", slug]);
    for (const tier of TIERS) {
      const own = live.filter(({ metadata }) =>
        metadata.slug === slug && metadata.tierId === tier.id
      );
      assert(own.length <= (listing.value?.state === "live" ? 1 : 0), "one renewal too many");
    }
  }
}

async function bidOf(world: MoneyStage, intent: PaymentIntent): Promise<BidCheckout> {
  const { value } = await world.kv.get<BidCheckout>(paymentKeys.checkout(intent.metadata.bidId!));
  if (value?.kind !== "bid") throw new Error(`invariant 29: ${intent.id} has no bid`);
  return value;
}
